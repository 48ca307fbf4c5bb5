"""The conversation with hosts and people: lines of text in, lines of text out.

Importing this package loads neither numba nor numpy: the first answer to a host may not wait for
them. `PROTOCOL.md` and `GTP.md` beside this file are the reference for users and for authors of
controllers.

    console         the only writer to stdout
    commands        every command with its documentation, behind `help`
    options         `setoption`: look up, check, announce
    uci             text of UCI <-> dataclasses
    loop            reading lines, the worker thread and its queue of jobs
    uci_service     what each UCI command does, and when
    board_commands  every command of the line protocol with its documentation
    gtp             text of the line protocol <-> requests and replies
    gtp_reply       how these replies leave
    clocks          clocks of the line protocol
    gtp_work        what each command of the line protocol does
    gtp_service     when it is carried out, and how it is answered
    gtp_cli         starting the line protocol
    analysis        the arguments of `analyze`, and its lines
    batch           `analyze file`
    progress        a bar for a terminal
    signals         Ctrl-C and SIGTERM
    cli             the command line
"""
