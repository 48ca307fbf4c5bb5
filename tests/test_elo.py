"""Statistics of matches, against values worked out by hand."""

import math

import pytest
from elo import Sprt, elo_of, estimate, expected_score, mean_and_variance


def test_elo_of_known_scores() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.75) == pytest.approx(400 * math.log10(3))
    assert elo_of(0) == -math.inf
    assert elo_of(1) == math.inf


@pytest.mark.parametrize("elo", [-300.0, -5.0, 0.0, 2.5, 80.0])
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of(expected_score(elo)) == pytest.approx(elo)


def test_mean_and_variance_of_pairs() -> None:
    # Four pairs: two level, one won 1.5 to 0.5, one won 2 to 0.
    mean, variance = mean_and_variance([0, 0, 2, 1, 1])
    assert mean == pytest.approx((0.5 + 0.5 + 0.75 + 1) / 4)
    assert variance == pytest.approx((2 * 0.1875**2 + 0.0625**2 + 0.3125**2) / 4)


def test_no_pairs_no_estimate() -> None:
    assert estimate([0, 0, 0, 0, 0]) is None
    assert Sprt(0, 5).llr([0, 0, 0, 0, 0]) == 0


def test_estimate_of_a_level_match() -> None:
    # Mean 1/2, variance (100 + 100)/400 * (1/4)^2 = 1/32; over 400 pairs the error is
    # sqrt(1/12800) = 0.00884, and 1.96 of it 0.01732 of a point: 12.04 Elo.
    level = estimate([0, 100, 200, 100, 0])
    assert level is not None
    assert level.elo == pytest.approx(0)
    assert level.high == pytest.approx(12.04, abs=0.02)
    assert level.low == pytest.approx(-level.high)
    assert level.los == pytest.approx(0.5)


def test_los_at_one_and_a_half_standard_errors() -> None:
    # Variance stays close to 1/32; (mean - 1/2) / error is 1.5 or so by construction.
    pairs = [0, 89, 200, 111, 0]
    mean, variance = mean_and_variance(pairs)
    sigmas = (mean - 0.5) / math.sqrt(variance / 400)
    result = estimate(pairs)
    assert result is not None
    assert sigmas == pytest.approx(1.56, abs=0.01)
    assert result.los == pytest.approx(0.9406, abs=1e-3)  # normal table at 1.56


def test_swept_match_has_a_finite_lower_bound() -> None:
    swept = estimate([0, 0, 0, 0, 10])
    assert swept is not None
    assert swept.elo == math.inf
    assert 400 < swept.low < math.inf


def test_sprt_bounds() -> None:
    low, high = Sprt(0, 5).bounds
    assert high == pytest.approx(math.log(19))
    assert low == pytest.approx(-math.log(19))


def test_sprt_llr_by_hand() -> None:
    # Level match, 400 pairs, variance 1/32: with s0 = 1/2 the ratio is
    # 400 * d * (1 - 1/2 - s1) / (2/32) = -6400 d^2, d = s1 - 1/2 = 0.0071950 at 5 Elo.
    assert expected_score(5) - 0.5 == pytest.approx(0.0071950, abs=1e-6)
    test = Sprt(0, 5)
    assert test.llr([0, 100, 200, 100, 0]) == pytest.approx(-6400 * 0.0071950**2, abs=1e-3)
    assert test.verdict([0, 100, 200, 100, 0]) == ""


def test_sprt_is_antisymmetric_and_decides() -> None:
    won, lost = [10, 90, 500, 200, 60], [60, 200, 500, 90, 10]
    assert Sprt(-5, 5).llr(won) == pytest.approx(-Sprt(-5, 5).llr(lost))
    assert Sprt(-5, 5).verdict(won) == "H1"
    assert Sprt(-5, 5).verdict(lost) == "H0"
