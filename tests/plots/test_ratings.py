"""The picture of wrong thumbs."""

from kerneltron.plots.ratings import RatingsDisplay, draw_ratings

ERRORS = {"film mean": 0.4, "ours": 0.25, "a leak": 0.05}


def test_bars_are_percent_and_the_leak_is_hatched():
    shown = RatingsDisplay(ERRORS, least=0.16, ours="ours", leaked="a leak").plot()
    mean, ours, leak = shown.ax_.patches
    assert [bar.get_width() for bar in (mean, ours, leak)] == [40, 25, 5]
    assert leak.get_hatch()
    assert not ours.get_hatch()
    assert mean.get_facecolor() != ours.get_facecolor()
    (line,) = shown.ax_.get_lines()
    assert line.get_xdata()[0] == 16
    assert "40.0" in {text.get_text() for text in shown.ax_.texts}


def test_panels_share_the_scale():
    figure = draw_ratings({"one": RatingsDisplay(ERRORS), "two": RatingsDisplay({"film mean": 0.1})})
    assert [axes.get_title() for axes in figure.axes] == ["one", "two"]
    assert len({axes.get_xlim() for axes in figure.axes}) == 1
