"""The conversation with hosts and people: lines of text in, lines of text out.

Importing this package loads neither numba nor numpy: the first answer to a host may not wait for
them. `PROTOCOL.md` beside this file is the reference for users and for authors of controllers.

    console         the only writer to stdout
    commands        every command with its documentation, behind `help`
    options         `setoption`: look up, check, announce
    uci             text of UCI <-> dataclasses
    loop            reading lines, the worker thread and its queue of jobs
    uci_service     what each UCI command does, and when
    cli             the command line
"""
