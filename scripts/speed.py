"""How fast is Triptych beside other programs? CPU time, on one core, in one run.

Every program is a running, warmed process; the kernel's CPU clock of that process is read before
and after, so neither start-up nor waiting counts. Programs take turns, so that a machine that
slows down slows them all; the median of three runs counts, and only if every leaf count is right.
Peers that are not on this machine are skipped, and said so.

    ratio = leaves a CPU second of Triptych / leaves a CPU second of the peer

Above 1 Triptych is faster. The analysis of positions is measured beside python-chess, see
`speed_analysis.py`, and Blokus by itself, see `speed_blokus.py`. Exit status: 0, 1 for a wrong
count or a fault.
"""

import argparse
import datetime
import json
import math
import os
import platform
import shlex
import statistics
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from engine_process import EngineFault
from speed_peers import (
    POSITIONS,
    Peer,
    UciPeer,
    WrongAnswer,
    open_engines,
    open_ours,
    open_packages,
)
from tqdm import tqdm

TRIPTYCH = shlex.quote(str(Path(sys.executable).with_name("triptych")))

WIDTH = 40
"""Columns for what a line of a table is about."""

PARTS = ("perft", "search", "analysis", "blokus")

Saved = dict[str, Any]
"""What goes into the file of numbers."""

Rates = dict[str, list[float]]
"""Label of a program -> leaves a CPU second, for each position; of a row of the analysis ->
positions a CPU second, for each turn."""


def measure_perft(peers: Sequence[Peer], runs: int, shallower: int) -> Rates:
    """Median speed of every program on every position."""
    rates: Rates = {peer.label: [] for peer in peers}
    with tqdm(total=len(POSITIONS) * runs * len(peers), desc="perft", disable=None) as bar:
        for position in POSITIONS:
            seconds: dict[str, list[float]] = {peer.label: [] for peer in peers}
            for _ in range(runs):
                for peer in peers:
                    depth = max(1, position.depth - peer.less - shallower)
                    nodes, spent = peer.perft(position.fen, depth)
                    if nodes != position.counts[depth - 1]:
                        where = f"{peer.label}, {position.name}, depth {depth}"
                        expected = position.counts[depth - 1]
                        raise WrongAnswer(f"{where}: expected {expected}, found {nodes}")
                    seconds[peer.label].append(spent)
                    bar.update()
            for peer in peers:
                depth = max(1, position.depth - peer.less - shallower)
                median = statistics.median(seconds[peer.label])
                rates[peer.label].append(position.counts[depth - 1] / median)
    return rates


def measure_search(engines: Sequence[UciPeer], movetime: int) -> dict[str, dict[str, float]]:
    """Nodes a CPU second of each engine, searching the start position and in its bench."""
    return {
        kind: {
            engine.label: nodes / seconds
            for engine in tqdm(engines, desc=kind, disable=None)
            for nodes, seconds in [engine.bench() if kind == "bench" else engine.search(movetime)]
        }
        for kind in ("search", "bench")
    }


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def ratios_of(rates: Rates, ours: Sequence[str]) -> Rates:
    """`ours / peer` -> ratio for each position."""
    return {
        f"{our} / {peer}": [mine / theirs for mine, theirs in zip(rates[our], rate, strict=True)]
        for our in ours
        for peer, rate in rates.items()
        if peer not in ours
    }


def facts(core: int, about: Sequence[str]) -> dict[str, Any]:
    """What the numbers depend on."""
    model = "unknown"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        model = next((x.partition(": ")[2] for x in lines if x.startswith("model name")), model)
    return {
        "date": f"{datetime.datetime.now():%Y-%m-%d %H:%M}",
        "cpu": f"{model}, {os.cpu_count()} cores, on core {core}",
        "system": platform.platform(),
        "python": f"{platform.python_version()}, numba {version('numba')}",
        "programs": ", ".join(about),
    }


def line(about: str, cells: Sequence[str]) -> str:
    return f"{about:<{WIDTH}}" + "".join(f"{cell:>12}" for cell in cells)


def perft_tables(peers: Sequence[Peer], rates: Rates, ratios: Rates) -> str:
    names = [position.name for position in POSITIONS]
    text = [line("perft, million leaves a CPU second", names)]
    for peer in peers:
        cells = [f"{rate / 1e6:,.2f}" for rate in rates[peer.label]]
        less = f" ({peer.less} plies less)" if peer.less else ""
        text.append(line(peer.label + less, cells))
    text += ["", line("perft, ratio", [*names, "geo. mean"])]
    for label, values in ratios.items():
        text.append(line(label, [f"{value:.2f}" for value in [*values, geometric_mean(values)]]))
    return "\n".join(text)


def search_table(search: dict[str, dict[str, float]], movetime: int) -> str:
    """Nodes of different engines are not the same work: no ratio is made of them."""
    kinds = {"search": f"{movetime} ms", "bench": "bench"}
    text = [line("search, thousand nodes a CPU second", [kinds[kind] for kind in search])]
    for label in next(iter(search.values())):
        text.append(line(label, [f"{rates[label] / 1e3:,.0f}" for rates in search.values()]))
    return "\n".join(text)


def analysis_table(rates: dict[str, float], ratio: float) -> str:
    text = [line("analysis, positions a CPU second", [])]
    text += [line(label, [f"{rate:,.0f}"]) for label, rate in rates.items()]
    return "\n".join([*text, line("full analysis / python-chess", [f"{ratio:,.0f}"])])


def measure_analysis(engine: UciPeer, runs: int) -> tuple[dict[str, float], float]:
    """Median speed of each row, and the median over all turns of how many times as fast as
    python-chess the analysis is."""
    # Imported late: it loads the engine into this process.
    from speed_analysis import FULL, PLAIN, TURNS, open_rows

    with open_rows(engine) as rows:
        rates: Rates = {row.label: [] for row in rows}
        with tqdm(total=len(rows) * runs * TURNS, desc="analysis", disable=None) as bar:
            for _ in range(runs * TURNS):
                for row in rows:
                    positions, seconds = row.work()
                    rates[row.label].append(positions / seconds)
                    bar.update()
    ratios = [full / plain for full, plain in zip(rates[FULL], rates[PLAIN], strict=True)]
    medians = {label: statistics.median(values) for label, values in rates.items()}
    return medians, statistics.median(ratios)


def measure_blokus() -> dict[str, tuple[float, ...]]:
    """The rows of Blokus: printed and returned."""
    from speed_blokus import measure

    rows = measure()
    print(line("blokus, microseconds for a list of moves", ["median", "worst", "ksims/s"]))
    for label, numbers in rows.items():
        if len(numbers) == 3:
            print(line(label, [f"{number:.2f}" for number in numbers]))
    print("\n" + line("blokus, million leaves a CPU second", []))
    for label, numbers in rows.items():
        if len(numbers) == 1:
            print(line(label, [f"{numbers[0]:,.0f}"]))
    return rows


def compare(args: argparse.Namespace, ours: Sequence[UciPeer], others: Sequence[Peer]) -> Saved:
    """Perft and search beside other programs: print the tables, return the numbers."""
    saved: Saved = {}
    if "perft" in args.only:
        rates = measure_perft([*ours, *others], args.runs, args.shallower)
        ratios = ratios_of(rates, [peer.label for peer in ours])
        print(perft_tables([*ours, *others], rates, ratios), end="\n\n", flush=True)
        saved = {
            "positions": [{"name": p.name, "fen": p.fen, "depth": p.depth} for p in POSITIONS],
            "leaves_per_cpu_second": rates,
            "ratios": ratios,
            "geometric_means": {label: geometric_mean(values) for label, values in ratios.items()},
        }
    if "search" in args.only:
        engines = [ours[0], *(peer for peer in others if isinstance(peer, UciPeer))]
        search = measure_search(engines, args.movetime)
        print(search_table(search, args.movetime), end="\n\n", flush=True)
        saved["nodes_per_cpu_second"] = search
    return saved


def run(args: argparse.Namespace) -> int:
    core = max(os.sched_getaffinity(0)) if args.core is None else args.core
    os.sched_setaffinity(0, {core})
    ours, skipped = open_ours(args.engine)
    others: list[Peer] = []
    if not set(args.only) <= {"analysis", "blokus"}:
        engines, absent = open_engines(args.peer)
        packages, missing = open_packages(args.peer_python)
        others, skipped = [*engines, *packages], skipped + absent + missing
    for reason in skipped:
        print(f"skipped: {reason}", file=sys.stderr)
    peers = [*ours, *others]
    about = [peer.about for peer in peers]
    if "analysis" in args.only:
        about.append(f"python-chess {version('chess')}")
    told = facts(core, list(dict.fromkeys(about)))
    print("\n".join(f"{key:<10}{value}" for key, value in told.items()), end="\n\n", flush=True)
    saved: Saved = {"facts": told, **compare(args, ours, others)}
    if "analysis" in args.only:
        rates, ratio = measure_analysis(ours[0], args.runs)
        print(analysis_table(rates, ratio))
        saved |= {"analysed_per_cpu_second": rates, "analysis_ratio": ratio}
    if "blokus" in args.only:
        saved["blokus"] = measure_blokus()
    for peer in peers:
        peer.close()
    if args.json:
        args.json.write_text(json.dumps(saved, indent=2) + "\n")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--engine", default=TRIPTYCH, metavar="CMD", help="default: triptych of this Python")
    add("--peer", action="append", default=[], metavar="CMD", help="one more UCI engine")
    add("--peer-python", default=sys.executable, metavar="PATH",
        help="interpreter that has chess, chessmg, nchess; default: this one")  # fmt: skip
    add("--core", type=int, help="core to run on; default: the last one allowed")
    add("--runs", type=int, default=3, help="runs of which the median counts; default 3")
    add("--shallower", type=int, default=0, metavar="PLIES", help="leave out so many plies")
    add("--movetime", type=int, default=3000, metavar="MS", help="of the search; default 3000")
    add("--only", action="append", choices=PARTS, help="measure this part alone, or several")
    add("--json", type=Path, metavar="FILE", help="save the numbers")
    args = parser.parse_args(argv)
    args.only = args.only or PARTS
    try:
        return run(args)
    except (EngineFault, WrongAnswer) as error:
        print(f"speed: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
