"""Messages that are written to standard output."""

import os
import sys

import pytest

from kerneltron.datasets import messages


def printing_to(monkeypatch, file, *words):
    """Run the module as a program whose standard output is this file."""
    monkeypatch.setattr(sys, "argv", ["messages", *words])
    monkeypatch.setattr(sys, "stdout", file)
    messages.main()


def test_a_reader_that_has_enough_is_not_an_error(monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as file:
        printing_to(monkeypatch, file)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_output_that_cannot_be_written_is_named(monkeypatch):
    with open("/dev/full", "w") as full, pytest.raises(SystemExit, match="cannot be written"):
        printing_to(monkeypatch, full)
    with pytest.raises(SystemExit, match="standard output is closed"):
        printing_to(monkeypatch, None)


def test_a_number_below_0_is_refused(monkeypatch, capsys):
    with pytest.raises(SystemExit, match="2"):
        printing_to(monkeypatch, sys.stdout, "--seed", "-1")
    assert "seed must be at least 0" in capsys.readouterr().err
