"""Parquet files, damaged: examples, or an error that names the file; never the end of the process."""

from tests.fuzzing.columnar import damaged, read, table

QUICK = 100


def case(rng, folder):
    from pyarrow import parquet

    path = folder / "rows.parquet"
    parquet.write_table(
        table(rng),
        path,
        compression=str(rng.choice(["none", "snappy", "zstd", "gzip"])),
        use_dictionary=bool(rng.random() < 0.5),
        row_group_size=int(rng.integers(1, 40)),
        data_page_version=str(rng.choice(["1.0", "2.0"])),
    )
    path.write_bytes(damaged(path.read_bytes(), rng))
    read(path, "parquet", rng)
