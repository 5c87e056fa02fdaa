"""Every door is fuzzed for some seconds; `make fuzz` does it for as long as one wants."""

import pytest

from tests.fuzzing import NAMES, door, run_case

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", NAMES)
def test_a_door_withstands_strange_data(name):
    for number in range(door(name).QUICK):
        run_case(name, number)
