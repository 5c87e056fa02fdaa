"""Pictures of hashing show what was measured, and ring what contradicts a bound."""

from kerneltron.plots.hashing import Deviation, Spread, TailCurve, TailDisplay, draw_hashing

CURVES = [
    TailCurve("few slots", [0.01, 0.1, 1.0], [0.15, 0.08, 0.0], [0.3, 0.0004, 1e-11], functions=1000),
    TailCurve("by chance", [0.01, 0.1, 1.0], [0.3, 0.102, 0.001], [0.5, 0.1, 0.0005], functions=1000),
]


def test_a_bound_is_broken_where_chance_does_not_explain_it():
    assert [curve.is_broken for curve in CURVES] == [[False, True, False], [False, False, False]]


def test_tails_draw_bounds_measurements_and_rings():
    ax = TailDisplay(CURVES, "epsilon", "theorem 3").plot().ax_
    printed, measured, ringed = (ax.lines[k].get_xydata().tolist() for k in range(3))
    assert printed == [[0.01, 0.3], [0.1, 0.0004], [1.0, 1e-11]]
    assert measured == [[0.01, 0.15], [0.1, 0.08]]  # a logarithmic axis has no place for 0
    assert ringed == [[0.1, 0.08]]
    assert not ax.lines[5].get_xydata().size
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["few slots", "by chance"]
    assert (ax.get_xlabel(), ax.get_title()) == ("epsilon", "theorem 3")


def test_deviations_are_drawn_beside_their_predictions():
    signed = {6: Deviation(0.01, 0.14, 0.15), 8: Deviation(-0.02, 0.07, 0.08)}
    unsigned = {6: Deviation(8.0, 1.0, 0.15), 8: Deviation(2.0, 0.3, 0.08)}
    errors = {6: Spread(0.2, 0.3, 0.5), 8: Spread(0.1, 0.15, 0.2)}
    left, middle, right = draw_hashing({100: signed}, signed, unsigned, {10: errors}).axes
    assert [list(line.get_ydata()) for line in left.lines] == [[0.14, 0.07], [0.15, 0.08]]
    assert [list(line.get_ydata()) for line in middle.lines][2:] == [[0.01, 0.02], [8.0, 2.0]]
    assert list(right.lines[0].get_ydata()) == [0.3, 0.15]
    band = right.collections[0].get_paths()[0].vertices[:, 1]
    assert (band.min(), band.max()) == (0.1, 0.5)
    for axes in (left, middle):
        assert "by the formula" in [text.get_text() for text in axes.get_legend().get_texts()]


def test_bands_end_where_some_hash_functions_make_no_error():
    signed = {bits: Deviation(0.01, 0.14, 0.15) for bits in (6, 8, 10)}
    errors = {6: Spread(0.2, 0.3, 0.5), 8: Spread(0.1, 0.15, 0.2), 10: Spread(0.0, 0.02, 0.1)}
    right = draw_hashing({100: signed}, signed, signed, {10: errors}).axes[-1]
    band = right.collections[0].get_paths()[0].vertices
    assert (band[:, 0].max(), band[:, 1].min()) == (8, 0.1)
    assert right.lines[0].get_xydata()[-1].tolist() == [10, 0.02]  # the median is drawn to its end
