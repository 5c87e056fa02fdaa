"""Arrow files, damaged: examples, or an error that names the file; never the end of the process."""

from tests.fuzzing.columnar import damaged, read, table

QUICK = 100


def case(rng, folder):
    import pyarrow

    path = folder / "rows.arrow"
    kind = rng.choice(["none", "lz4", "zstd"])
    options = pyarrow.ipc.IpcWriteOptions(compression=None if kind == "none" else str(kind))
    rows = table(rng)
    with (
        pyarrow.OSFile(str(path), "wb") as file,
        pyarrow.ipc.new_file(file, rows.schema, options=options) as to,
    ):
        to.write_table(rows, max_chunksize=int(rng.integers(1, 40)))
    path.write_bytes(damaged(path.read_bytes(), rng))
    read(path, "arrow", rng)
