"""Every command with its documentation. `help` prints it; `PROTOCOL.md` tells it at length."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from protocol.uci import UsageError, quote

_WIDTH = 88
_LABEL = 12


@dataclass(frozen=True)
class Command:
    """What a user must know of one command."""

    name: str
    usage: str
    function: str
    arguments: str = "none"
    fails: str = "never"
    replies: str = "nothing"
    aliases: tuple[str, ...] = ()


UCI_COMMANDS: tuple[Command, ...] = (
    Command(
        "uci",
        "uci",
        "Says who the engine is and which options it has.",
        replies='Two "id" lines, one "option" line for each option, "uciok". Answered at once, '
        "also while the engine is still loading.",
    ),
    Command(
        "isready",
        "isready",
        "Asks whether all that was sent before has been taken in.",
        replies='"readyok": at once during a search, a perft, a bench or the analysis of a file, '
        "else when the engine is loaded and the commands before it are done.",
    ),
    Command(
        "ucinewgame",
        "ucinewgame",
        "Forgets the last game: tables and history are emptied, the start position stands. "
        "A search that runs is stopped first.",
    ),
    Command(
        "position",
        "position startpos|fen FEN [moves MOVE ...]",
        "Sets up a position and plays moves on it. A search that runs is stopped first.",
        arguments="startpos, or fen and a FEN of four to six fields (missing counters are 0 and 1; "
        "Shredder-FEN and X-FEN castling fields are understood). Moves are long algebraic, like "
        "e2e4 or e7e8q. With UCI_Chess960 on, castling is king takes own rook.",
        fails="If the FEN or any move is bad. The old position stays.",
    ),
    Command(
        "go",
        "go [searchmoves MOVE ...] [ponder] [wtime MS] [btime MS] [winc MS] [binc MS] "
        "[movestogo N] [depth N] [nodes N] [mate N] [movetime MS] [infinite]",
        "Searches the position. The first limit reached ends the search; with none it is a short "
        "fixed one. A search that runs is stopped first.",
        arguments="In any order; unknown words are skipped. Zero and negative values mean the "
        "shortest search there is. infinite and ponder end by stop or ponderhit only. "
        "searchmoves takes all words up to the next keyword; moves that are not legal are "
        "dropped, and if none is left all moves count.",
        fails="A value that is missing or no whole number costs one error line; that limit is "
        "left out and the search goes ahead.",
        replies='"info" lines, then one "bestmove MOVE [ponder MOVE]", or "bestmove (none)" '
        "where there is no legal move.",
    ),
    Command(
        "go perft",
        "go perft N",
        "Counts the leaves of the tree of legal moves N plies down. stop breaks it off.",
        arguments="N, a whole number of 0 or more.",
        fails="If N is missing, negative or no number.",
        replies='A line "MOVE: COUNT" for each root move as it is done, an empty line, "Nodes '
        'searched: TOTAL", "info string perft depth N nodes TOTAL time MS nps NPS". After a stop '
        'the lines so far and "info string perft stopped".',
    ),
    Command(
        "stop",
        "stop",
        "Ends every search, perft, bench and analysis of a file given so far. Nothing while idle; "
        "it is not remembered.",
        replies='Nothing of its own; the search gives its "bestmove".',
    ),
    Command(
        "ponderhit",
        "ponderhit",
        "Makes go ponder a normal search whose clock starts now. The move pondered on was played. "
        "Nothing while idle.",
    ),
    Command(
        "setoption",
        "setoption name NAME [value VALUE]",
        "Sets an option.",
        arguments="NAME without regard to case. VALUE is the rest of the line, blanks kept: a "
        "whole number, true or false, or text; a button takes none.",
        fails="For an unknown name, a value of the wrong kind or out of range, and during a "
        "search. The old value stays.",
    ),
    Command(
        "debug",
        "debug on|off",
        'Adds "info string debug: ..." lines, or ends them.',
        arguments="on or off.",
        fails="For anything else.",
    ),
    Command("register", "register ...", "Taken and ignored, as there is nothing to register."),
    Command(
        "quit",
        "quit",
        "Stops all searches and ends the process with status 0, within two seconds. The end of "
        "input does the same.",
        replies='The "bestmove" of a search that ran.',
    ),
    Command(
        "d",
        "d",
        "Shows the position.",
        fails="During go infinite and go ponder. During any other search it waits.",
        replies='A board, then "Fen: ...", "Key: ..." and "Checkers: ...".',
        aliases=("showboard",),
    ),
    Command(
        "eval",
        "eval",
        "Shows the static evaluation by term, white's point of view.",
        fails="During go infinite and go ponder. During any other search it waits.",
        replies='Lines of text, the last one "Final evaluation ...".',
    ),
    Command(
        "legalmoves",
        "legalmoves",
        "Lists the legal moves.",
        fails="During go infinite and go ponder. During any other search it waits.",
        replies='One line "legalmoves COUNT MOVE MOVE ...", sorted as text.',
    ),
    Command(
        "analyze",
        "analyze [json]",
        "Tells facts of the position: attacks, pins, skewers, forks, pawns and numbers.",
        arguments='"json" for one line of JSON.',
        fails="During go infinite and go ponder. During any other search it waits.",
        replies='Lines "analysis KEY VALUE ...", the last one "analysis end". Objects within '
        "objects are joined by dots in KEY, and an empty list has no VALUE. PROTOCOL.md explains "
        "the keys.",
    ),
    Command(
        "analyze file",
        "analyze file IN [out OUT]",
        "Analyses each line of a file, on as many threads as the option Threads says. stop breaks "
        "it off, what is done stays.",
        arguments="IN, a file of FEN or EPD lines, plain or gzip. OUT, the file to write, which "
        "is replaced; its name decides what is written: .gz for JSON lines packed by gzip, "
        ".parquet for columns, anything else for JSON lines; without it they go to stdout. The "
        "first word out ends IN; a path in double quotes may hold it.",
        fails="If a file cannot be read or written, or both are the same, and during go infinite "
        "and go ponder. A line that is no legal position gives an object with error and line, and "
        "the run goes on.",
        replies='One JSON object a line, then "info string analyze file: P positions, B bad '
        'lines, T ms, R positions/s".',
    ),
    Command(
        "bench",
        "bench [DEPTH]",
        "Searches fixed positions with one thread. The start position stands afterwards.",
        arguments="DEPTH, a whole number of 1 or more; without it the depth of the signature.",
        fails="For a bad DEPTH, and during go infinite and go ponder.",
        replies='Progress as "info string ...", then "Total time (ms): T", "Nodes searched: N" '
        'and "Nodes/second: R". N is the same on every run and every machine.',
    ),
    Command(
        "help",
        "help [COMMAND]",
        "Lists the commands, or explains one.",
        arguments="The name of a command.",
        fails="If there is no such command.",
        replies="Indented lines of text.",
    ),
)


def help_lines(commands: Sequence[Command], topic: str) -> list[str]:
    """The reply to `help`. Every line is indented, so no host takes it for protocol text."""
    if not topic:
        width = max(len(command.name) for command in commands) + 2
        lines = [f"  {command.name:{width}}{_first_sentence(command)}" for command in commands]
        return [*lines, '  "help COMMAND" tells more about one.']
    for command in commands:
        if topic in (command.name, command.name.split()[-1], *command.aliases):
            return _explain(command)
    known = ", ".join(command.name for command in commands)
    raise UsageError(f"help: no command is named {quote(topic)}; there are: {known}")


def _first_sentence(command: Command) -> str:
    return command.function.split(". ")[0].rstrip(".")


def _explain(command: Command) -> list[str]:
    rows = [
        ("Usage", command.usage),
        ("Function", command.function),
        ("Arguments", command.arguments),
        ("Fails", command.fails),
        ("Replies", command.replies),
    ]
    if command.aliases:
        rows.append(("Also", ", ".join(command.aliases)))
    lines: list[str] = []
    for label, text in rows:
        wrapped = textwrap.wrap(text, _WIDTH - _LABEL, break_on_hyphens=False)
        for number, line in enumerate(wrapped):
            lines.append(f"  {'' if number else label:{_LABEL - 2}}{line}")
    return lines
