"""The positions of `bench`: openings, middlegames, endgames, checks, mates and a stalemate trap."""

DEPTH = 9

POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP3PPP/RN1QK2R b KQkq - 1 7",
    "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "2rq1rk1/pb2bppp/1p2pn2/8/3P4/P1NB4/1PQ2PPP/R1BR2K1 w - - 2 16",
    "r2q1rk1/1b1nbppp/pp1ppn2/8/2PQP3/1PN2NP1/PB3PBP/R4RK1 b - - 1 12",
    "3r1rk1/p4p1p/1p2b1p1/2p1P3/2Pn1P2/2q2N2/P2QB1PP/3R1RK1 w - - 0 23",
    "8/5pk1/4p1p1/3pP2p/2pP1P1P/2P2KP1/8/8 w - - 0 40",
    "8/8/1p1k4/p1pPp3/P1P1P1p1/6P1/3K4/8 w - - 0 1",
    "4r1k1/1p3pp1/p1p4p/3n4/3P4/1P3N1P/P4PP1/4R1K1 w - - 0 26",
    "8/1p2kp2/p3p1p1/4P2p/1P3P1P/P3K1P1/8/2R2r2 b - - 3 38",
    "5rk1/5ppp/8/8/2Q5/8/q4PPP/2R3K1 w - - 0 1",
    "8/8/4k3/8/1B6/3NK3/8/8 w - - 0 1",
    "6k1/5p1p/6p1/8/8/6P1/r4P1P/3R2K1 b - - 0 30",
    "8/P1k5/8/8/8/8/1p3K2/8 w - - 0 1",
    "2r3k1/5ppp/p7/1p1Pb3/4P3/1Pr2B2/P1R2KPP/2R5 b - - 0 29",
)
