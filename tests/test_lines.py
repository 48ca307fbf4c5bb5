"""Lines of a file in blocks: however the bytes come, the same lines with the same numbers."""

import codecs
import gzip
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import lines
from engine.control import Control
from engine.errors import FileError
from engine.lines import CHUNK, LONGEST, Source

LINE = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def read(path: Path) -> list[tuple[int, bytes | None]]:
    """Number and text of each line, None for one that is too long."""
    found: list[tuple[int, bytes | None]] = []
    with Source(str(path)) as source:
        for block in source.blocks(Control()):
            assert len(block.data) <= LONGEST + CHUNK
            texts = [None] if block.too_long else block.data.removesuffix(b"\n").split(b"\n")
            found += enumerate(texts, block.first)
        assert source.ended
        assert source.read == path.stat().st_size
        assert source.lines == len(found)
    return found


def read_until_broken(path: Path) -> tuple[list[bytes], str]:
    """The lines, and the message that follows them."""
    data = b""
    with Source(str(path)) as source, pytest.raises(FileError) as caught:
        for block in source.blocks(Control()):
            data += block.data
    assert data == b"" or data.endswith(b"\n")
    return data.split(b"\n")[:-1], str(caught.value)


@given(
    st.lists(st.binary(max_size=12).filter(lambda part: b"\n" not in part), min_size=1),
    st.booleans(),
    st.booleans(),
)
def test_lines_do_not_depend_on_how_they_are_cut(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], packed: bool, ends: bool
) -> None:
    path = tmp_path_factory.mktemp("lines") / "in"
    data = b"\n".join(parts) + b"\n" * (ends or not parts[-1])
    if packed or not data.startswith(lines.GZIP):
        path.write_bytes(gzip.compress(data) if packed else data)
        texts = [None if len(part) > 8 else part for part in parts]
        if texts[0]:
            texts[0] = texts[0].removeprefix(codecs.BOM_UTF8)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lines, "CHUNK", 5)
            patch.setattr(lines, "LONGEST", 8)
            assert read(path) == list(enumerate(texts, 1))


def test_the_longest_line(tmp_path: Path) -> None:
    path = tmp_path / "in"
    for before in (b"", b"x\n" * CHUNK):
        path.write_bytes(
            before + b"a" * LONGEST + b"\n" + b"b" * (LONGEST + 1) + b"\nc\n" + b"d" * 10**6
        )
        first = before.count(b"\n") + 1
        assert read(path)[first - 1 :] == [
            (first, b"a" * LONGEST), (first + 1, None), (first + 2, b"c"), (first + 3, None),
        ]  # fmt: skip


def test_gzip_is_recognised_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    joined = gzip.compress(b"a\nb") + gzip.compress(b"") + gzip.compress(b"c\nd\n") + b"\0" * 1000
    path.write_bytes(joined)
    assert read(path) == [(1, b"a"), (2, b"bc"), (3, b"d")]
    path = tmp_path / "not.gz"
    path.write_bytes(b"a\nb\n")
    assert read(path) == [(1, b"a"), (2, b"b")]
    path.write_bytes(gzip.compress(b""))
    assert read(path) == []
    path.write_bytes(b"")
    assert read(path) == []
    path.write_bytes(gzip.compress(b"x\n" * 10**6))
    assert read(path)[-1] == (10**6, b"x")


def numbered(count: int) -> list[bytes]:
    return [b"%s; id %d" % (LINE, number) for number in range(count)]


def test_gzip_that_breaks_off_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "in.gz"
    texts = numbered(5000)
    data = gzip.compress(b"\n".join(texts) + b"\n")
    for size in (2, 11, len(data) // 3, len(data) - 9, len(data) - 1):
        path.write_bytes(data[:size])
        found, message = read_until_broken(path)
        assert found == texts[: len(found)]
        after = f" after line {len(found)}" if found else ""
        assert message == f'cannot read "{path}": gzip data that breaks off{after}'
    assert len(found) == 5000


def test_damaged_gzip_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "in.gz"
    texts = numbered(5000)
    data = bytearray(gzip.compress(b"\n".join(texts) + b"\n"))
    data[len(data) // 2 : len(data) // 2 + 40] = b"\xff" * 40
    path.write_bytes(data)
    found, message = read_until_broken(path)
    # Of what stands before the damage nothing is lost; a few bytes more may come out wrong.
    assert len(found) > 2000
    assert found[:2000] == texts[:2000]
    assert message.startswith(f'cannot read "{path}": damaged gzip data after line {len(found)}')
    path.write_bytes(gzip.compress(b"a\nb\n") + b"rubbish")
    assert read_until_broken(path)[0] == [b"a", b"b"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("missing", "No such file or directory"),
        (".", "it is a directory, expected a file"),
        ("x" * 300, "File name too long"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_what_cannot_be_opened(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(FileError, match=f'^cannot read ".*": {why}$') as caught:
        Source(f"{tmp_path}/{name}")
    assert len(str(caught.value)) < 200


def test_a_pipe_is_read_to_its_end_and_can_be_stopped(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb") as pipe:
            pipe.write(b"a\nb\nc")

    writer = threading.Thread(target=write)
    with Source(str(path)) as source:
        writer.start()
        blocks = list(source.blocks(Control()))
        writer.join()
        assert b"".join(block.data for block in blocks) == b"a\nb\nc"
        assert source.size == 0
    control = Control()
    threading.Timer(0.05, control.stop).start()
    with Source(str(path)) as source:
        assert list(source.blocks(control)) == []
        assert not source.ended


def test_the_same_file_by_another_name(tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_bytes(b"")
    (tmp_path / "soft").symlink_to(path)
    (tmp_path / "hard").hardlink_to(path)
    (tmp_path / "other").write_bytes(b"")
    with Source(str(path)) as source:
        assert all(source.is_file(f"{tmp_path}/{name}") for name in ("in", "./in", "soft", "hard"))
        assert not any(source.is_file(f"{tmp_path}/{name}") for name in ("other", "none", "a\0"))
