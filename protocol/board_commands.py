"""Every command of the line protocol with its documentation. `GTP.md` tells it at length."""

from engine.games.base import Game
from protocol.commands import Command

_COLOUR = (
    "COLOUR as the game names it: 1 2 3 4 or blue, yellow, ... in Blokus on 20 x 20, b w in Duo, "
    "red blue in CoTuLenh."
)
_NO_COLOUR = "If there is no such colour."
_EMPTY = "an empty text"

BOARD_COMMANDS: tuple[Command, ...] = (
    Command("protocol_version", "protocol_version", "Says which GTP it is.", replies='"2".'),
    Command("name", "name", "Says who the engine is.", replies='"Triptych".'),
    Command("version", "version", "Says which version it is.", replies="The version."),
    Command(
        "list_commands",
        "list_commands",
        "Lists the commands.",
        replies="Names, sorted, one a line.",
    ),
    Command(
        "known_command",
        "known_command NAME",
        "Asks whether there is such a command.",
        arguments="NAME, in lower case.",
        replies="true or false.",
    ),
    Command(
        "help",
        "help [COMMAND]",
        "Lists the commands, or explains one.",
        arguments="The name of a command.",
        fails="If there is no such command.",
        replies="Indented lines of text.",
    ),
    Command(
        "stop",
        "stop",
        "Ends every search, perft and bench given so far, at once. A stopped genmove plays the "
        "best move it has found.",
        replies=f"{_EMPTY}, in its turn.",
    ),
    Command(
        "quit",
        "quit",
        "Ends the process with status 0. What was given before is finished and answered first; "
        "what has run for a while already is stopped.",
        replies=f"{_EMPTY}, in its turn. The end of input does the same without a reply.",
    ),
    Command(
        "set_game",
        "set_game NAME",
        "Changes the game, and clears the board.",
        arguments="Blokus, Blokus Two-Player, Blokus Three-Player, Blokus Duo or CoTuLenh, in any "
        "case, one blank between words, no quotes.",
        fails='For any other name: "invalid argument".',
        replies=_EMPTY,
    ),
    Command("clear_board", "clear_board", "Begins a new game.", replies=_EMPTY),
    Command(
        "play",
        "play COLOUR MOVE",
        "Plays a move. In Blokus the colour need not be the one to move; afterwards its successor "
        "is.",
        arguments=f"{_COLOUR} MOVE in Blokus is the squares of the piece in any order and case, "
        "with commas; in CoTuLenh an action, or the actions of a whole turn with commas.",
        fails="If the colour is unknown, or in CoTuLenh not to move, the text is no move, or the "
        "move is illegal. There is no pass.",
        replies=_EMPTY,
    ),
    Command(
        "p",
        "p MOVE",
        "Plays a move of the colour to move.",
        arguments="MOVE, as for play.",
        fails="As play does.",
        replies=_EMPTY,
    ),
    Command(
        "undo",
        "undo",
        "Takes back the last move, whatever its colour.",
        fails='At the start: "cannot undo".',
        replies=_EMPTY,
    ),
    Command(
        "redo",
        "redo",
        "Plays the move again that was taken back last.",
        fails='If none was, or another move was played since: "cannot redo".',
        replies=_EMPTY,
    ),
    Command(
        "genmove",
        "genmove COLOUR",
        "Searches a move and plays it. In Blokus the colour need not be the one to move.",
        arguments=_COLOUR,
        fails=_NO_COLOUR,
        replies='The move, or "pass" if the colour has none; then nothing is played.',
    ),
    Command(
        "g",
        "g",
        "Searches a move of the colour to move and plays it.",
        replies='The move, or "pass" when the game is over.',
    ),
    Command(
        "reg_genmove",
        "reg_genmove COLOUR",
        "Searches a move without playing it, and without regard to earlier searches.",
        arguments=_COLOUR,
        fails='If the colour is unknown; if it has no move: "player failed to generate a move".',
        replies="The move.",
    ),
    Command(
        "go",
        "go [movetime MS] [nodes N] [depth N]",
        "Searches a move of the colour to move without playing it. The first limit reached ends "
        "the search; with none, level or clock decide.",
        arguments="In any order. Whole numbers of 1 or more.",
        fails="For unknown words, and values that are missing or no such numbers.",
        replies='"bestmove MOVE", or "bestmove pass" when the game is over.',
    ),
    Command(
        "go perft",
        "go perft N",
        "Counts the sequences of N moves. A colour that is skipped costs no move.",
        arguments="N, a whole number of 0 or more.",
        fails="If N is missing, negative or no number.",
        replies='A line "MOVE: COUNT" for each move, then "total TOTAL", "time MS" and "nps NPS". '
        'After a stop the lines so far and "perft stopped".',
    ),
    Command(
        "legalmoves",
        "legalmoves [COLOUR]",
        "Lists the legal moves.",
        arguments=f"{_COLOUR} Without it the colour to move.",
        fails=_NO_COLOUR,
        replies="How many, then each on a line, sorted as text.",
    ),
    Command(
        "all_legal",
        "all_legal COLOUR",
        "Lists the legal moves of a colour.",
        arguments=_COLOUR,
        fails=_NO_COLOUR,
        replies=f"One move a line, sorted as text; {_EMPTY} if there is none.",
    ),
    Command(
        "final_score",
        "final_score",
        "Says the score, at any time.",
        replies='Duo and two players: "B+n", "W+n" or "0". Else the points of the four colours.',
    ),
    Command(
        "showboard",
        "showboard",
        "Shows the board, and in Blokus the pieces left.",
        replies="A drawing for people.",
        aliases=("d",),
    ),
    Command("fen", "fen", "Says the position as text.", replies="What position fen takes."),
    Command(
        "moves",
        "moves",
        "Lists the moves played.",
        replies='Lines "COLOUR MOVE".',
    ),
    Command(
        "position",
        "position startpos|fen TEXT [moves MOVE ...]",
        "Sets up a position and plays moves on it, each by the colour to move.",
        arguments="startpos, or fen and what the command fen says.",
        fails="If the text or any move is bad. The old position stays.",
        replies=_EMPTY,
    ),
    Command(
        "loadsgf",
        "loadsgf FILE [N]",
        "Loads the main line of a game record.",
        arguments="FILE, in double quotes if it has blanks. With N it stops before move N.",
        fails="If the file cannot be read or holds no game. The old position stays.",
        replies=_EMPTY,
    ),
    Command(
        "savesgf",
        "savesgf FILE",
        "Writes the game so far.",
        arguments="FILE, in double quotes if it has blanks.",
        fails="If the file cannot be written.",
        replies=_EMPTY,
    ),
    Command(
        "analyze",
        "analyze",
        "Tells the facts of the position.",
        replies='Lines "KEY VALUE...".',
    ),
    Command(
        "analyze json",
        "analyze json",
        "Tells the facts of the position as JSON.",
        replies="One line, an object.",
    ),
    Command(
        "analyze file",
        "analyze file IN [out OUT]",
        "Analyses each line of a file. stop breaks it off, what is done stays.",
        arguments="IN, a file of positions as fen says them, plain or gzip. OUT, the file to "
        "write, which is replaced: JSON lines, packed by gzip if its name ends in .gz; without it "
        "they go into the reply. The first word out ends IN; a path in double quotes may hold it.",
        fails="If a file cannot be read or written, or both are the same. A line that is no "
        "position gives an object with error and line, and the run goes on.",
        replies='One JSON object a line, then "analyze file: P positions, B bad lines, T ms, '
        'R positions/s".',
    ),
    Command("eval", "eval", "Shows the static evaluation.", replies="Lines for people."),
    Command(
        "bench",
        "bench [N]",
        "Searches fixed positions with one thread.",
        arguments="N, a whole number of 1 or more, how much.",
        fails="For a bad N.",
        replies='"Total time (ms): T", "Nodes searched: N" and "Nodes/second: R", or "bench '
        'stopped".',
    ),
    Command(
        "cputime",
        "cputime",
        "Says how much CPU time the process has used.",
        replies="Seconds, like 0.03.",
    ),
    Command(
        "set_random_seed",
        "set_random_seed N",
        "Sets the seed of the search. The same seed, level and one thread give the same moves.",
        arguments="N, a whole number.",
        fails="If N is none.",
        replies=_EMPTY,
    ),
    Command(
        "param",
        "param [KEY VALUE]",
        "Sets a parameter of the engine, or lists them.",
        fails="For an unknown key, and a value it does not take. The old value stays.",
        arguments="KEY and VALUE, or nothing.",
        replies='Lines "KEY VALUE" without arguments, else an empty text.',
    ),
    Command(
        "param_base",
        "param_base [resign 0|1]",
        "Taken for the sake of controllers: Triptych never resigns.",
        arguments="resign and 0 or 1, or nothing.",
        fails="For anything else.",
        replies='"resign 0" or "resign 1" without arguments, else an empty text.',
    ),
    Command(
        "time_settings",
        "time_settings MAIN BYO STONES",
        "Gives every colour a clock: MAIN seconds, then BYO seconds for each STONES moves.",
        arguments="Three whole numbers of 0 or more. BYO without STONES, and no time at all, mean "
        "no clock: the level decides.",
        fails="For anything else.",
        replies=_EMPTY,
    ),
    Command(
        "time_left",
        "time_left COLOUR SECONDS STONES",
        "Sets the clock of a colour.",
        arguments=f"{_COLOUR} SECONDS for STONES moves, or for all that follow if STONES is 0.",
        fails="If one of them is bad.",
        replies=_EMPTY,
    ),
)

BLOKUS_COMMANDS: tuple[Command, ...] = (
    Command(
        "get_value",
        "get_value",
        "Says what the last search thinks of the colour that it searched for.",
        replies="A number from 0 to 1.",
    ),
    Command(
        "move_values",
        "move_values",
        "Lists the moves of the last search, best first.",
        replies='Lines "VISITS VALUE_COUNT VALUE [PIECE]MOVE"; an empty text if there was none.',
    ),
    Command(
        "move_info",
        "move_info MOVE|ID",
        "Explains a placement.",
        arguments="MOVE, as for play, or its number.",
        fails="If there is no such placement.",
        replies='An empty line and lines "ID:", "Piece:", "Points:", "BrkSym:" and "SymMv:".',
    ),
)

COTULENH_COMMANDS: tuple[Command, ...] = (
    Command(
        "undo step",
        "undo step",
        "Takes back one step of the open deployment.",
        fails="If no deployment is open, or the position came with it as it is.",
        replies=_EMPTY,
    ),
    Command(
        "legalmoves turns",
        "legalmoves turns",
        "Lists the whole turns that lead to different positions.",
        replies="How many, then one a line, sorted as text.",
    ),
)

_OWN = {"blokus": BLOKUS_COMMANDS, "cotulenh": COTULENH_COMMANDS}
"""Commands of one family of games alone, by the first word of its name."""


def commands_of(game: Game) -> tuple[Command, ...]:
    """All commands that are served while this game is played."""
    return BOARD_COMMANDS + _OWN.get(game.name.partition("-")[0], ())
