"""The positions of `bench`: the start, middle games with stacks and ships, deployments, endings."""

DEPTH = 5

POSITIONS = (
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4"
    " r - - 0 1",
    "6c4/1n3h1hf2/3a2s2a1/2n1gt1tg2/2ie1fm2ei/11/4F6/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N3H1HF2/6C4"
    " r - - 4 3",
    "6c4/5h1hf2/1n1a2s2a1/2n1gt2g2/2ie2(tm)2ei/11/5T5/2IE2M2EI/2N1G2TG2/1N1A2S2A1/4FH1HF2/6C4"
    " b - - 2 9",
    "3c7/5h5/4g1s4/2n2t5/4i2m3/11/2(NF)8/4E2M3/5T1T3/3A2S4/5H5/6C4 r - - 0 20",
    "6c4/5h1h3/4i1s4/3(ft)3g3/2n8/11/2(NFT)8/4I1M4/5T5/3(EA)2S4/5H1H3/6C4 r - - 3 24",
    "6c4/8i2/6g3m/11/6(FT)4/11/11/11/11/11/10E/3C7 r - - 0 1",
    "4c6/10e/10m/11/4(TI)6/11/11/11/11/11/10E/6C4 r - - 0 1",
    "5c5/4t1s4/3i7/2n6g1/11/3f7/6F4/2N8/4T1I4/6A4/5H5/4C6 b - - 6 40",
    "3c7/11/4+t6/11/6i4/11/11/4M6/5T5/11/6+F4/5C5 r - - 10 60",
    "6c4/5h5/4(eg)1s4/11/2(nt)8/11/11/2(NFI)3M4/11/4(EG)1S4/5H5/6C4 b - - 1 33",
)
