"""Every door is fuzzed: for a moment here, longer by `make soak`, for as long as one wants by `make fuzz`."""

import pytest

from tests.fuzzing import NAMES, door, run_case

MOMENT = 3  # a part of the cases that `make soak` runs


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_door_withstands_some_strange_data(name):
    for number in range(door(name).QUICK // MOMENT):
        run_case(name, number)


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore:.*the column .* is read as a")  # rightly, among strange values
@pytest.mark.parametrize("name", NAMES)
def test_a_door_withstands_strange_data(name):
    for number in range(door(name).QUICK // MOMENT, MOMENT * door(name).QUICK):
        run_case(name, number)
