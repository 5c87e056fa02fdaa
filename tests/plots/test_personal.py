"""The picture of filters for mail."""

from kerneltron.plots.personal import PersonalDisplay, SlotsDisplay, draw_personal

USERS = PersonalDisplay(["0", "1 to 3", "4 or more"], {"global": [0.2, 0.2, 0.2], "own": [1.0, 0.5, 0.1]})
SLOTS = SlotsDisplay({"global": {10: 0.5, 12: 0.25}}, pairs=4096, unhashed=0.2)


def test_lines_are_percent_and_groups_are_short():
    shown = USERS.plot()
    assert [list(line.get_ydata()) for line in shown.ax_.get_lines()] == [[20, 20, 20], [100, 50, 10]]
    assert [text.get_text() for text in shown.ax_.get_xticklabels()] == ["0", "1-3", "4+"]


def test_slots_have_a_second_axis_with_pairs_and_a_level_line():
    shown = SLOTS.plot()
    line, level = shown.ax_.get_lines()
    assert (list(line.get_xdata()), list(line.get_ydata())) == ([10, 12], [50, 25])
    assert level.get_ydata()[0] == 20
    (above,) = shown.ax_.child_axes
    assert [text.get_text() for text in above.get_xticklabels()] == ["4", "1"]


def test_both_stand_side_by_side():
    figure = draw_personal(USERS, SLOTS, "nobody vouches for spam")
    assert len(figure.axes) == 2
    assert figure.get_suptitle() == "nobody vouches for spam"
