"""Addresses that fsspec opens."""

import sys

import pytest

from kerneltron.stream.addresses import open_address
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats import named
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader

fsspec = pytest.importorskip("fsspec")


def test_examples_are_read_from_an_address():
    with fsspec.open("memory://of_test_addresses.vw", "w") as file:
        file.write("1 | a b\n-1 | c\n")
    reader = Reader(["memory://of_test_addresses.vw"], named("vw")(), Hashing(bits=8), Labels())
    assert sum(window.size for window in reader.windows()) == 2


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("memory://nothing.csv", "no file 'memory://nothing.csv'. Only this process itself"),
        ("foo://x.csv", "foo://x.csv: fsspec does not know foo://"),
        ("data://x", "data://x: cannot be opened (not enough values"),
        ("file:///", "file:/// is a folder"),
    ],
)
def test_what_cannot_be_opened_is_told_with_its_address(address, told):
    with pytest.raises(InputError) as raised:
        open_address(address)
    assert told in str(raised.value)


def test_a_package_that_is_missing_is_named(monkeypatch):
    def lacking(name, mode):
        raise ImportError('HTTPFileSystem requires "aiohttp" to be installed')

    monkeypatch.setattr(fsspec, "open", lacking)
    with pytest.raises(InputError) as raised:
        open_address("https://x/y.csv")
    told = (
        "https://x/y.csv: HTTPFileSystem requires \"aiohttp\" to be installed (pip install 'fsspec[http]')."
    )
    assert str(raised.value) == told
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(InputError, match="install fsspec: pip install"):
        open_address("s3://b/x")
