"""A GTP engine that plays the last legal move and, at its second in a game, does one thing wrong.

    python bad_gtp_engine.py FAULT

FAULT: good crash hang illegal pass error.
"""

import sys
import time

from slow_blokus import SlowBlokus


def main(fault: str) -> None:
    game, asked = SlowBlokus(), 0
    for line in sys.stdin:
        words = line.split()
        answer = ""
        match words[0]:
            case "name":
                answer = fault
            case "version":
                answer = "1"
            case "set_game":
                game = SlowBlokus(" ".join(words[1:]))
            case "clear_board":
                game, asked = SlowBlokus(game.name), 0
            case "play":
                move = game.find(words[2])
                assert move is not None
                game.moves.append((game.ids.index(words[1]), move))
            case "genmove":
                asked += 1
                if asked == 2 and fault != "good":
                    misbehave(fault)
                    continue
                colour = game.ids.index(words[1])
                answer = game.texts(colour)[-1]
                move = game.find(answer)
                assert move is not None
                game.moves.append((colour, move))
        say(f"= {answer}")
        if words[0] == "quit":
            return


def misbehave(fault: str) -> None:
    if fault == "crash":
        sys.exit("it was too much for me")
    if fault == "hang":
        time.sleep(60)
    say({"illegal": "= a1", "pass": "= pass", "error": "? no idea"}[fault])


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
