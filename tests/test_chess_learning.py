"""What the chess network learns from: positions of games and of searches, written down rightly."""

import sys
from pathlib import Path
from types import ModuleType

import chess
import chess_label
import chess_selfplay
import numpy as np
import pytest
from chess_counts import Counts
from chess_rows import LOUD, SEEN, UNKNOWN, read_rows
from chess_selfplay import Games

from engine.control import Control
from engine.games.chess import values as v
from engine.games.chess.evaluation import evaluate
from engine.games.chess.network import NETWORK
from engine.games.chess.position import Position
from engine.games.chess.records import CACHE
from engine.games.chess.state import STATE
from engine.games.chess.tables import T
from engine.games.chess.work import new_work
from engine.table import Table


def board_of(row: np.void) -> chess.Board:
    board = chess.Board(None)
    for i, both in enumerate(row["board"]):
        for sq, code in ((2 * i, int(both) & 15), (2 * i + 1, int(both) >> 4)):
            if code:
                board.set_piece_at(sq, chess.Piece(code & 7, code < 8))
    board.turn = not row["turn"]
    return board


def test_games_are_of_legal_quiet_positions() -> None:
    games = Games(3, 100, 50)
    rows = np.concatenate([games.play() for _ in range(6)])
    assert len(rows) > 300
    for row in rows:
        board = board_of(row)
        assert board.is_valid(), board.fen()
        assert not board.is_check()
        assert any(board.legal_moves)
    assert {UNKNOWN, LOUD} < set(rows["result"].tolist())


def test_results_are_those_of_the_side_to_move() -> None:
    """Within a game, and far ahead means won more often than not."""
    games = Games(5, 100, 50)
    ahead = []
    for _ in range(8):
        rows = games.play()
        rows = rows[rows["result"] < UNKNOWN]
        white = np.where(rows["turn"] == 0, rows["result"], -rows["result"])
        assert len(set(white.tolist())) <= 1
        ahead += rows["result"][rows["score"] > 600].tolist()
    assert len(ahead) > 20
    assert np.mean(ahead) > 0.5


def test_a_seed_makes_the_same_games() -> None:
    first, again = (Games(7, 60, 30) for _ in range(2))
    for _ in range(3):
        assert np.array_equal(first.play(), again.play())


def test_few_pieces_are_a_position() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        position = chess_selfplay.sparse_position(rng)
        assert position.legal()


def test_labels_are_those_of_longer_searches() -> None:
    """Same positions, other scores; a winning capture makes a position one that does not count."""
    games = Games(11, 60, 30)
    rows = np.concatenate([games.play() for _ in range(4)])
    rows = rows[rows["result"] != LOUD]
    hanging = rows[:1].copy()
    board = chess.Board("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1")
    hanging["board"], hanging["turn"] = 0, 0
    for sq, piece in board.piece_map().items():
        code = piece.piece_type + (0 if piece.color else 8)
        hanging["board"][0, sq >> 1] |= code << 4 * (sq & 1)
    rows = np.concatenate([rows, hanging])
    works = [label_by(rows, nodes) for nodes in (400, 400, 4000)]
    assert np.array_equal(works[0], works[1])
    assert works[0]["result"][-1] == LOUD
    assert np.array_equal(works[0]["board"], rows["board"])
    both = (works[0]["result"] != LOUD) & (works[2]["result"] != LOUD)
    assert both.sum() > 0.6 * len(rows)
    short, long = (np.abs(work["score"] - rows["score"])[both] for work in (works[0], works[2]))
    assert short.mean() > 0
    assert long.mean() > 0
    assert not np.array_equal(works[0]["score"][both], works[2]["score"][both])


def put(path: Path, rows: np.ndarray) -> str:
    np.save(path, rows)
    return path.name


def one_row() -> np.ndarray:
    """White king e1, black king e8."""
    row = np.zeros(1, SEEN)
    row["board"][0, 2], row["board"][0, 30] = 6, 14
    return row


def test_files_that_are_no_positions_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    good = put(Path("good.npy"), one_row())
    assert len(read_rows([Path(good)])[0]) == 1
    Path("empty.npy").write_bytes(b"")
    Path("cut.npy").write_bytes(Path(good).read_bytes()[:-3])
    Path("zip.npy").write_bytes(b"PK\x03\x04")
    Path("text.npy").write_text("hello")
    np.savez("several.npz", rows=one_row())
    put(Path("other.npy"), np.zeros(3, np.int16))
    put(Path("square.npy"), one_row().reshape(1, 1))
    crowd, kings, turn, code, loud = (one_row() for _ in range(5))
    crowd["board"][0, 4:13] = 0x11
    kings["board"][0, 3] = 6
    turn["turn"] = 2
    code["board"][0, 3] = 7
    loud["result"] = LOUD
    for name, rows in (("crowd", crowd), ("kings", kings), ("turn", turn), ("code", code)):
        put(Path(f"{name}.npy"), np.concatenate([one_row(), rows]))
    put(Path("loud.npy"), loud)
    for name, said in (
        ("none.npy", "none.npy: No such file"),
        ("empty.npy", "empty.npy: not a file of numpy"),
        ("cut.npy", "cut.npy: not a file of numpy"),
        ("zip.npy", "zip.npy: not a file of numpy"),
        ("text.npy", "text.npy: not a file of numpy"),
        ("several.npz", "several.npz: not a file of chess_selfplay.py"),
        ("other.npy", "other.npy: not a file of chess_selfplay.py"),
        ("square.npy", "square.npy: not a file of chess_selfplay.py"),
        ("crowd.npy", "crowd.npy: row 1 is no position"),
        ("kings.npy", "kings.npy: row 1 is no position"),
        ("turn.npy", "turn.npy: row 1 is no position"),
        ("code.npy", "code.npy: row 1 is no position"),
        ("loud.npy", "there are no quiet positions"),
    ):
        with pytest.raises(ValueError, match=said):
            read_rows([Path(name)])


def run(monkeypatch: pytest.MonkeyPatch, module: ModuleType, *words: object) -> None:
    monkeypatch.setattr(sys, "argv", [module.__name__, *map(str, words)])
    module.main()


def test_programs_write_what_they_say_and_refuse_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ("--games", 2, "--nodes", 50, "--leaf-nodes", 50)
    run(monkeypatch, chess_selfplay, "games", *few, "--seed", 3)
    assert [path.name for path in Path("games").iterdir()] == ["3-0000.npy"]
    run(monkeypatch, chess_label, "labels", "games/3-0000.npy", "--nodes", 60, "--positions", 40)
    assert [path.name for path in Path("labels").iterdir()] == ["1-0000.npy"]
    assert 20 < len(np.load("labels/1-0000.npy")) <= 40
    Path("file").write_text("")
    label = (chess_label, "labels", "games/3-0000.npy")
    for words, said in (
        ((chess_selfplay, "games", *few, "--seed", 3), "File exists"),
        ((chess_selfplay, "file", *few), "File exists"),
        ((chess_selfplay, "games", "--games", 10**20), "expected a number from 1 to"),
        ((chess_selfplay, "games", "--nodes", "x"), "expected a number from 1 to"),
        ((chess_selfplay, "games", "--seed", -1), "expected a number from 1 to"),
        (label, "File exists"),
        ((*label, "--seed", -1), "expected a number from 1 to"),
        ((*label, "--nodes", 10**20), "expected a number from 1 to"),
        ((chess_label, "labels", "file", "--seed", 2), "file: not a file of numpy"),
    ):
        with pytest.raises(SystemExit) as ended:
            run(monkeypatch, *words)
        assert ended.value.code == 2
        assert said in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("w.npz", "x.npy", "--results", "-1"), "expected a number from 0 on, got -1"),
        (("w.npz", "x.npy", "--results", "nan"), "expected a number from 0 on, got nan"),
        (("w.npz", "x.npy", "--results", "much"), "expected a number from 0 on, got much"),
        (("none/w.npz", "x.npy"), "cannot write none/w.npz: No such file"),
        (("folder", "x.npy"), "cannot write folder.npz: Is a directory"),
        (("w.npz", "x.npy"), "x.npy: No such file"),
    ],
)
def test_the_fit_says_at_once_what_is_wrong(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("torch", reason="PyTorch is not here: pip install 'triptych[train]'")
    import chess_fit

    monkeypatch.chdir(tmp_path)
    Path("folder.npz").mkdir()
    with pytest.raises(SystemExit) as ended:
        run(monkeypatch, chess_fit, *words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert [path.name for path in Path().iterdir()] == ["folder.npz"]


def test_what_is_no_network_is_no_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="PyTorch is not here: pip install 'triptych[train]'")
    import chess_train

    monkeypatch.chdir(tmp_path)
    Path("empty").write_bytes(b"")
    Path("zip").write_bytes(b"PK\x03\x04garbage")
    Path("text").write_text("hello")
    np.save("one.npy", np.zeros(3))
    np.savez("other.npz", x=np.zeros(3))
    np.savez("short.npz", columns=np.zeros(3), bias=np.zeros(3), heads=np.zeros(3))
    wrong = "empty", "zip", "text", "one.npy", "other.npz", "short.npz"
    for name in (*wrong, "none"):
        with pytest.raises(SystemExit) as ended:
            run(monkeypatch, chess_train, "w.npz", "x.npy", "--start", name)
        assert ended.value.code == 2
        last = capsys.readouterr().err.splitlines()[-1]
        assert f"{name}: not a network" in last or f"{name}: No such file" in last


def label_by(rows: np.ndarray, nodes: int) -> np.ndarray:
    scored = rows.copy()
    work, table, control = new_work(), Table(1), Control()
    work["table"], work["buckets"] = table.address, table.buckets
    work["control"] = control.address
    chess_label.label(work, T, np.zeros(1, STATE), scored, nodes)
    return scored


def test_counts_of_values_make_up_the_evaluation() -> None:
    games = Games(13, 60, 30)
    counts = Counts(np.concatenate([games.play() for _ in range(12)]))
    assert len(counts.rows) > 500
    pairs = np.array([values for pairs in v.PAIRS.values() for values in pairs])
    score = counts.worth @ pairs
    weights = np.array(v.DANGERS)
    weights[v.NO_QUEEN :] *= -1
    for side, sign in ((0, -1), (1, 1)):
        units = np.maximum(counts.danger[side] @ weights, 0)
        score += sign * np.stack([units * units // v.DANGER, units >> 3], 1)
    phase = counts.besides[:, 0].astype(int)
    scale = np.where(score[:, 1] > 0, counts.besides[:, 1], counts.besides[:, 2])
    found = (score[:, 0] * phase + score[:, 1] * scale / 64 * (24 - phase)) / 24 + v.TEMPO
    told = np.zeros(len(counts.rows))
    cache = np.zeros(1, CACHE)[0]
    for i, row in enumerate(counts.rows):
        told[i] = evaluate(Position(board_of(row).fen()).state, T, cache)
    assert np.abs(found - told).max() < 2
    assert np.ptp(told) > 200


def test_values_and_network_are_fitted_together() -> None:
    pytest.importorskip("torch", reason="PyTorch is not here: pip install 'triptych[train]'")
    import chess_fit
    from chess_train import Network

    games = Games(9, 60, 30)
    rows = np.concatenate([games.play() for _ in range(12)])
    lesson = Counts(rows[rows["result"] != LOUD])
    model = chess_fit.Model(Network())
    some = np.arange(len(lesson.rows))
    before = model.error(lesson, some, 0.4).item()
    chess_fit.fit(model, lesson, lesson, 4, 0.4, 256)
    assert model.error(lesson, some, 0.4).item() < before
    text = chess_fit.row_text("queen moves", [(-1, 2)] * 28)
    assert eval("{" + text + "}") == {"queen moves": ((-1, 2),) * 28}
    assert max(map(len, text.splitlines())) <= 100


def test_the_trainer_learns_and_writes_what_the_engine_reads(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not here: pip install 'triptych[train]'")
    import chess_train

    games = Games(9, 60, 30)
    rows = np.concatenate([games.play() for _ in range(20)])
    np.save(tmp_path / "games.npy", rows)
    lesson, exam = chess_train.read([tmp_path / "games.npy"])
    assert len(lesson) + len(exam) == (rows["result"] != LOUD).sum()
    model = chess_train.Network()
    heads = model.heads.detach().clone()
    chess_train.fit(model, chess_train.Lesson(lesson), chess_train.Lesson(exam), 2, 1e-3, 512)
    assert not np.array_equal(model.heads.detach(), heads)
    for name, values in model.numbers().items():
        assert values.size == NETWORK[name].size
        assert values.dtype == NETWORK.dtype[name].base
    again = chess_train.Network()
    again.start_from(model.numbers())
    for name, values in again.numbers().items():
        assert np.array_equal(values, model.numbers()[name])
