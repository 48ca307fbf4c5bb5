"""CoTuLenh (Cờ Tư Lệnh), Vietnamese commander chess on 11 x 12 points."""
