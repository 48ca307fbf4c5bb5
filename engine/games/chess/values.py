"""Values of pieces and squares, in hundredths of a pawn (placeholder header)."""

import numpy as np
from numpy.typing import NDArray


def piece_square_values() -> NDArray[np.int64]:
    return np.zeros(1024, np.int64)
