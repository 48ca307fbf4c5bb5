"""What every protocol needs: lines from stdin, and one worker that does the work in order.

The thread that reads never computes, so it always hears `stop`. The worker loads the engine
first and then takes one job after the other. Nothing here knows a protocol.

    main thread    read a line, parse it, act at once or submit a job
    worker thread  load the engine, then jobs in the order they came
"""

import codecs
import enum
import logging
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from engine.control import Control
from engine.engine import Engine

LOG = logging.getLogger("triptych")

STDIN = 0
CHUNK = 1 << 16

GRACE = 1.4
"""Seconds that jobs which end by themselves get at the end of input."""
PATIENCE = 0.4
"""Seconds that a job gets after it was told to stop."""
SAVING = 5.0
"""Seconds that a job gets instead which writes results that must not be cut in two."""

SCRIPT = 0.3
"""A job that has run for so many seconds when the input ends was waited for by somebody, who now
gave up. A script sends all it has at once."""
LIMIT = 20.0
"""Seconds that each command of a script may compute after the end of input."""
LISTENING = 2.0
"""Seconds more until a job that was told to stop counts as deaf."""


class Kind(enum.Enum):
    """What a job means for the commands that come after it."""

    SHORT = "short"
    """Over in milliseconds; cannot be stopped."""
    SEARCH = "search"
    """Ends by `stop`, and by any command that changes what is searched."""
    COUNT = "count"
    """Long, ends by itself or by `stop`; everything else waits its turn."""


@dataclass(eq=False)
class Job:
    """One command on its way through the worker."""

    name: str
    work: Callable[[Engine], None]
    kind: Kind = Kind.SHORT
    control: Control = field(default_factory=Control)
    """Made with the job, so that a `stop` finds it even before the job starts."""
    endless: bool = False
    """True for a search that waits for `stop` or `ponderhit`."""
    pondering: bool = False
    """True for a search that waits for `ponderhit`."""
    saves: threading.Event = field(default_factory=threading.Event)
    """Set once it writes what must end well, so that the process waits for it."""
    over: bool = False
    """True from just before the last line of the reply. The host may act on that line sooner
    than the worker gets round to its next job."""


class Worker:
    """The thread that owns the engine. Its methods are called from the reading thread only,
    except `abandon`."""

    def __init__(
        self, load: Callable[[], Engine], on_load_failed: Callable[[Exception], None]
    ) -> None:
        """`load` and `on_load_failed` are called on the worker; after the latter it ends."""
        self._load = load
        self._on_load_failed = on_load_failed
        self._change = threading.Condition()
        self._queue: deque[Job] = deque()
        self._running: Job | None = None
        self._began = 0.0
        """Time of `time.monotonic` at which the running job began."""
        self._loaded = False
        self._closing = False
        self._engine: Engine | None = None
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        """Begin to load the engine, if that has not begun yet."""
        if self._thread.ident is None:
            self._thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job behind all others."""
        with self._change:
            if self._closing:
                return
            self._queue.append(job)
            self._change.notify_all()
        self.start()

    def when_ready(self, answer: Callable[[], None]) -> None:
        """Call `answer` once the engine is loaded and the short jobs given so far are done.

        A long job that runs does not hold it back, nor does one that waits.
        """
        with self._change:
            running = self._running
            busy = running is not None and running.kind is not Kind.SHORT and not running.over
            idle = self._loaded and running is None and not self._queue
            if not (busy or idle):
                ahead = 0
                while ahead < len(self._queue) and self._queue[ahead].kind is Kind.SHORT:
                    ahead += 1
                self._queue.insert(ahead, Job("isready", lambda engine: answer()))
                self._change.notify_all()
        if busy or idle:
            answer()
        else:
            self.start()

    def search(self) -> Job | None:
        """A search whose result is still to come, running or waiting; the last one given."""
        searches = [job for job in self._unfinished() if job.kind is Kind.SEARCH]
        return searches[-1] if searches else None

    def stop(self) -> None:
        """End every long job given so far. One that has not started yet will end at once."""
        for job in self._unfinished():
            if job.kind is not Kind.SHORT:
                job.control.stop()

    def stop_searches(self) -> None:
        """End every search given so far, and leave counts alone."""
        for job in self._unfinished():
            if job.kind is Kind.SEARCH:
                job.control.stop()

    def drain(self) -> None:
        """Block until nothing is left to do. A signal handler may run meanwhile."""
        with self._change:
            while (self._queue or self._running is not None) and self._thread.is_alive():
                # The worker may die without a word, but only by a defect; do not hang on it.
                self._change.wait(1.0)

    def close(self) -> bool:
        """End: searches now, other jobs when done or after GRACE. True if the thread is gone.

        False leaves a thread behind that compiles or does not listen: leave by `os._exit`.
        """
        self.stop_searches()
        with self._change:
            self._closing = True
            self._change.notify_all()
            nothing_waits = not self._queue and not self._loaded
        if self._thread.ident is None:
            return True
        if not nothing_waits and self._joined(GRACE):
            return True
        self.stop()
        with self._change:
            # A search that was stopped before it began still owes its answer, and has it at once.
            self._queue = deque(job for job in self._queue if job.kind is Kind.SEARCH)
        self._settle()
        return self._joined(0.0 if nothing_waits else PATIENCE)

    def idle(self) -> bool:
        """True when everything given so far is done. The engine need not be loaded."""
        with self._change:
            return self._running is None and not self._queue

    def finish(self) -> bool:
        """End when everything given so far is done, each job within LIMIT. True if the thread is
        gone.

        What somebody waited for ends at once. False leaves a thread behind, as with `close`.
        """
        with self._change:
            self._closing = True
            self._change.notify_all()
            waited_for = self._running is not None and time.monotonic() - self._began > SCRIPT
            nothing_waits = not self._queue and not self._loaded
        if nothing_waits:
            return self._thread.ident is None
        if waited_for:
            self.stop()
        while not self._joined(0.1):
            with self._change:
                job, late = self._running, time.monotonic() - self._began - LIMIT
            # A short job may load another game, which takes what it takes.
            if job is not None and job.kind is not Kind.SHORT and late > 0:
                job.control.stop()
                if late > LISTENING:
                    return False
        return True

    def abandon(self) -> None:
        """End everything, because the process is about to end: a job that saves gets the time for
        it, no other job is waited for. From any thread."""
        with self._change:
            self._closing = True
            self._queue.clear()
        self.stop()
        if threading.current_thread() is not self._thread:
            self._settle()

    def _settle(self) -> None:
        """Wait for a job that saves."""
        with self._change:
            self._change.wait_for(
                lambda: (
                    self._running is None
                    or not self._running.saves.is_set()
                    or not self._thread.is_alive()
                ),
                SAVING,
            )

    def _unfinished(self) -> list[Job]:
        with self._change:
            running = [] if self._running is None else [self._running]
            return [job for job in (*running, *self._queue) if not job.over]

    def change(self, engine: Engine) -> None:
        """Give the jobs from the next one on to this engine. Called on the worker."""
        self._engine = engine

    def _joined(self, seconds: float) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        began = time.monotonic()
        try:
            self.change(self._load())
        except Exception as problem:
            self._on_load_failed(problem)
            return
        LOG.debug("engine loaded in %.3f s", time.monotonic() - began)
        with self._change:
            self._loaded = True
        while True:
            with self._change:
                self._running = None
                self._change.notify_all()
                while not self._queue:
                    if self._closing:
                        return
                    self._change.wait()
                job = self._running = self._queue.popleft()
                self._began = time.monotonic()
            assert self._engine is not None
            job.work(self._engine)
            LOG.debug("%s took %.3f s", job.name, time.monotonic() - self._began)


def serve(lines: Iterable[str], handle: Callable[[str], bool], worker: Worker) -> None:
    """Hand each line to `handle` until that says no or there are no more."""
    worker.start()
    for line in lines:
        if not handle(line):
            return


def read_lines(read: Callable[[int], bytes] | None = None) -> Iterator[str]:
    """Lines of stdin as they come, of any length, without their ends; the last may lack one.

    Blanks around a line are cut; bytes that are not UTF-8 become replacement characters.
    """
    for number, data in enumerate(_split(read if read is not None else _read_stdin)):
        # Some shells on Windows begin a pipe with a byte order mark.
        clean = data if number else data.removeprefix(codecs.BOM_UTF8)
        yield clean.strip().decode("utf-8", "replace")


def _split(read: Callable[[int], bytes]) -> Iterator[bytes]:
    pieces: list[bytes] = []
    while chunk := read(CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            pieces.append(part)
            yield b"".join(pieces)
            pieces.clear()
        if rest:
            pieces.append(rest)
    if pieces:
        yield b"".join(pieces)


def _read_stdin(size: int) -> bytes:
    while True:
        try:
            return os.read(STDIN, size)
        except BlockingIOError:
            # Some hosts hand over a pipe in non-blocking mode.
            select.select([STDIN], [], [])
        except OSError:
            return b""
