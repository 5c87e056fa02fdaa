"""Arrow and Parquet files that are damaged, or shortened while they are read: an error, never a crash."""

import os
from pathlib import Path

import numpy as np
import pytest

from kerneltron.cli.running import run
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats import named
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.labels import Labels
from kerneltron.stream.reader import Reader
from kerneltron.stream.sources import opened

pyarrow = pytest.importorskip("pyarrow")
ROWS = 5000


@pytest.fixture(params=["arrow", "parquet"])
def path(request, tmp_path):
    from pyarrow import parquet

    path = tmp_path / f"rows.{request.param}"
    table = pyarrow.table(
        {
            "label": ["spam", "ham"] * (ROWS // 2),
            "text": [f"some words and number {i}" for i in range(ROWS)],
            "kind": pyarrow.array(["first", "second"] * (ROWS // 2)).dictionary_encode(),
        }
    )
    if request.param == "parquet":
        parquet.write_table(table, path, row_group_size=500, compression="none", use_dictionary=False)
    else:
        with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as to:
            to.write_table(table, max_chunksize=500)
    return path


def read(path):
    format = named(path.suffix[1:])()
    reader = Reader([str(path)], format, Hashing(bits=8), Labels(), skip_faults=True)
    return sum(window.size for window in reader.windows())


def test_a_damaged_place_of_a_string_is_an_error(path):
    assert read(path) == ROWS
    if path.suffix == ".arrow":
        data = bytearray(path.read_bytes())
        offsets = np.arange(4, dtype=np.int32) * len("some words and number 0")
        begin = data.index(offsets.tobytes())
        data[begin + 4 : begin + 8] = (2**31 - 1).to_bytes(4, "little")
    else:
        data = bytearray(
            path.read_bytes().replace(b"some words and number 7", b"some words \xff\xff\xff number 7")
        )
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"rows\.\w+: not a file in \w+ format, or a damaged one"):
        read(path)


def test_every_single_damaged_byte_is_survived(path, tmp_path):
    data = path.read_bytes()
    damaged = tmp_path / f"damaged{path.suffix}"
    random = np.random.default_rng(0)
    for place in random.integers(0, len(data), 30).tolist() + list(range(len(data) - 700, len(data), 11)):
        damaged.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        try:
            assert read(damaged) <= 2 * ROWS
        except InputError as error:
            assert str(damaged) in str(error)  # noqa: PT017 - what is not raised is fine too


def test_a_file_that_is_shortened_while_it_is_read_is_an_error(path):
    format = named(path.suffix[1:])()
    with opened(str(path), format.records) as source:
        assert len(source.read(1000)) == 1000
        os.truncate(path, 4096)
        with pytest.raises(InputError, match="or a damaged one"):
            source.read(1 << 24)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.9, 0.999])
def test_a_file_that_is_cut_off_is_an_error_of_the_command(path, share, capsys):
    os.truncate(path, int(share * path.stat().st_size))
    assert (
        run(["train", str(path), "-o", str(Path(path).with_suffix(".model")), "--bits", "8", "--quiet"]) == 2
    )
    assert str(path) in capsys.readouterr().err


def test_a_name_that_is_no_text_is_an_error(path):
    data = path.read_bytes()
    path.write_bytes(data.replace(b"kind", b"k\xff\xfed"))
    with pytest.raises(InputError, match="or a damaged one"):
        read(path)


def test_progress_is_told_without_reading_all_rows_ahead(path):
    format = named(path.suffix[1:])()
    with opened(str(path), format.records) as source:
        before = 0
        while source.read(1 << 12):
            assert before <= source.consumed <= path.stat().st_size
            before = source.consumed
        assert source.consumed == path.stat().st_size
