"""Graphs from files in TU format, and social networks whose truth is known."""

import gzip

import numpy as np
import pytest

from kerneltron import Perceptron
from kerneltron.datasets.graphs import load_graphs, load_tu
from kerneltron.datasets.networks import Hub, most_friends, social_networks
from kerneltron.kernels import WeisfeilerLehman

FILES = {
    "A": "1, 2\n2, 1\n4,3\n5, 3\n",
    "graph_indicator": "1\n1\n2\n2\n2\n",
    "graph_labels": "1\n-1\n",
    "node_labels": "6\n8\n6\n6\n7\n",
}


def write(folder, changes=None, packed=(), name="TINY"):
    place = folder / name
    place.mkdir(exist_ok=True)
    for member, content in {**FILES, **(changes or {})}.items():
        if content is not None:
            path, data = place / f"{name}_{member}.txt", content.encode()
            if member in packed:
                path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(data))
            else:
                path.write_bytes(data)
    return place


def plain(graphs):
    return [
        (edges.tolist(), labels if isinstance(labels, int) else labels.tolist()) for edges, labels in graphs
    ]


def test_a_folder_is_read(tmp_path):
    data = load_tu(write(tmp_path))
    assert plain(data.graphs) == [([[0, 1], [1, 0]], [6, 8]), ([[1, 0], [2, 0]], [6, 6, 7])]
    assert data.y.tolist() == [1, -1]
    assert data.name == "TINY"


@pytest.mark.parametrize("packed", [(), tuple(FILES), ("A", "node_labels")])
def test_files_may_be_packed_and_named_otherwise(tmp_path, packed):
    place = write(tmp_path, packed=packed)
    other = place.rename(tmp_path / "other")
    assert plain(load_tu(str(other), "TINY").graphs) == plain(load_tu(other, name="TINY").graphs)
    assert load_tu(other, "TINY").name == "TINY"
    with pytest.raises(FileNotFoundError, match=r"other_graph_labels.txt.* is in .*other: give the folder"):
        load_tu(other)


def test_line_ends_and_empty_lines_do_not_matter(tmp_path):
    changed = {member: content.replace("\n", "\r\n") + "\r\n" for member, content in FILES.items()}
    assert plain(load_tu(write(tmp_path, changed)).graphs) == plain(load_tu(write(tmp_path)).graphs)
    bare = {member: content.rstrip("\n") for member, content in FILES.items()}
    assert plain(load_tu(write(tmp_path, bare)).graphs) == plain(load_tu(write(tmp_path)).graphs)


def test_graphs_without_labels_edges_or_nodes(tmp_path):
    bare = load_tu(write(tmp_path, {"node_labels": None}, name="BARE"), "BARE")
    assert [size for _, size in bare.graphs] == [2, 3]
    lonely = load_tu(write(tmp_path, {"A": ""}))
    assert [edges.shape for edges, _ in lonely.graphs] == [(0, 2), (0, 2)]
    gaps = load_tu(write(tmp_path, {"graph_indicator": "2\n2\n4\n4\n4\n", "graph_labels": "1\n2\n3\n4\n5\n"}))
    assert [len(labels) for _, labels in gaps.graphs] == [0, 2, 0, 3, 0]
    assert WeisfeilerLehman(2)(gaps.graphs).diagonal().astype(bool).tolist() == [
        False,
        True,
        False,
        True,
        False,
    ]


def test_nodes_of_a_graph_need_not_stand_together(tmp_path):
    mixed = load_tu(write(tmp_path, {"graph_indicator": "2\n2\n1\n1\n1\n"}))
    assert plain(mixed.graphs) == plain(load_tu(write(tmp_path)).graphs)[::-1]
    scattered = {"A": "1,3\n2,4\n", "graph_indicator": "1\n2\n1\n2\n2\n"}
    assert plain(load_tu(write(tmp_path, scattered)).graphs) == [([[0, 1]], [6, 6]), ([[0, 1]], [8, 6, 7])]


def test_labels_of_several_columns_are_texts(tmp_path):
    data = load_tu(write(tmp_path, {"node_labels": "6, 0\n8, 1\n6, 0\n6, 1\n7, 0\n"}))
    assert data.graphs[1][1].tolist() == ["6,0", "6,1", "7,0"]
    assert WeisfeilerLehman(0)(data.graphs)[0, 1] == 1


DAMAGE = [
    ("A", "1, 2\n2, 9\n", r"TINY_A.txt, line 2 holds 9, but TINY_graph_indicator.txt holds .* 5 nodes"),
    ("A", "\n1, 2\n\n0, 1\n", r"TINY_A.txt, line 4 holds 0, but"),
    ("A", "1, 2\n2, 3\n", r"TINY_A.txt, line 2 joins nodes of two graphs"),
    ("A", "1, 2\n2\n", r"TINY_A.txt, line 2 should hold 2 numbers, and holds 1"),
    ("A", "1\n2\n", r"TINY_A.txt, line 1 should hold 2 numbers, and holds 1"),
    ("A", "1, 2\n2, x\n", r"TINY_A.txt, line 2: 'x' is not a whole number"),
    ("A", "1, 2\n2, \n", r"TINY_A.txt, line 2: '' is not a whole number"),
    ("A", "1, 2\n2, 1.5\n", r"TINY_A.txt, line 2: '1.5' is not a whole number"),
    ("A", "1, 2\n2, 99999999999999999999\n", r"TINY_A.txt, line 2: '9{20}' is not a whole number"),
    ("A", "1, 2\n\0\xff\n", r"TINY_A.txt, line 2: '\\?.* is not a whole number"),
    ("graph_indicator", "1\n1\n2\n2\n3\n", r"graph_indicator.txt, line 5 holds 3, but .* 2 graphs"),
    ("graph_indicator", "1\n1\n0\n2\n2\n", r"graph_indicator.txt, line 3 holds 0, but"),
    ("graph_labels", "1\n0.5\n", r"graph_labels.txt, line 2: '0.5' is not a whole number"),
    ("node_labels", "6\n8\n", r"node_labels.txt holds labels of 2 nodes, but TINY_graph_indicator.txt .* 5"),
    ("node_labels", "6\n8\n6,1\n6\n7\n", r"node_labels.txt, line 3 should hold 1 numbers, and holds 2"),
]


@pytest.mark.parametrize(("member", "content", "message"), DAMAGE, ids=[message for *_, message in DAMAGE])
def test_errors_name_the_file_and_the_line(tmp_path, member, content, message):
    with pytest.raises(ValueError, match=message):
        load_tu(write(tmp_path, {member: content}))


@pytest.mark.parametrize("member", ["A", "graph_indicator", "graph_labels"])
def test_a_missing_file_is_named(tmp_path, member):
    with pytest.raises(FileNotFoundError, match=f"TINY_{member}.txt"):
        load_tu(write(tmp_path, {member: None}))


def test_a_damaged_archive_is_named(tmp_path):
    place = write(tmp_path, packed=("A",))
    path = place / "TINY_A.txt.gz"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ValueError, match=r"TINY_A.txt.gz cannot be unpacked"):
        load_tu(place)


def test_data_sets_are_found_by_name(tmp_path, monkeypatch):
    (tmp_path / "graphs").mkdir()
    write(tmp_path / "graphs")
    monkeypatch.setenv("KERNELTRON_DATA", str(tmp_path))
    assert load_graphs("TINY").name == "TINY"
    with pytest.raises(FileNotFoundError, match="OTHER_graph_labels"):
        load_graphs("OTHER")
    monkeypatch.delenv("KERNELTRON_DATA")
    with pytest.raises(FileNotFoundError, match=r"KERNELTRON_DATA is not set: .*graphs/TINY"):
        load_graphs("TINY")


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "graphs", "nodes", "arcs"), [("MUTAG", 188, 3371, 7442), ("NCI1", 4110, 122747, 265506)]
)
def test_real_data_have_their_known_sizes(name, graphs, nodes, arcs):
    data = load_graphs(name)
    assert len(data.graphs) == len(data.y) == graphs
    assert sum(len(labels) for _, labels in data.graphs) == nodes
    assert sum(len(edges) for edges, _ in data.graphs) == arcs


# -- social networks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "friends", "groups"), [(30, 2, 3), (6, 1, 2), (60, 10, 5), (12, 2, 12)])
def test_networks_are_alike_but_for_the_hub(people, friends, groups):
    X, y, error, truth, _ = social_networks(40, seed=1, people=people, friends=friends, groups=groups)
    assert error == 0
    assert len({len(edges) for edges, _ in X}) == 1
    assert {size for _, size in X} == {people}
    for edges, _ in X:
        assert edges.min() >= 0
        assert edges.max() < people
        assert (edges[:, 0] != edges[:, 1]).all()
        assert len({frozenset(edge) for edge in edges.tolist()}) == len(edges)  # a friendship counts once
    np.testing.assert_array_equal(truth.predict(X), y)
    assert set(y) == {-1, 1}


def test_the_noise_is_the_best_error():
    data = social_networks(2000, seed=0, people=12, friends=2, noise=0.2)
    assert data.bayes_error == 0.2
    assert np.mean(data.truth.predict(data.X) != data.y) == pytest.approx(0.2, abs=0.03)
    clean = social_networks(300, seed=0, people=12, friends=2)
    assert abs(np.mean(clean.y)) < 0.2


def test_the_same_seed_gives_the_same_networks():
    one, other, third = (social_networks(5, seed=seed) for seed in (3, 3, 4))
    assert all(np.array_equal(x, z) for (x, _), (z, _) in zip(one.X, other.X, strict=True))
    assert not all(np.array_equal(x, z) for (x, _), (z, _) in zip(one.X, third.X, strict=True))


def test_friends_are_counted():
    star = np.array([[0, 1], [2, 0], [0, 3]])
    assert most_friends(star) == 3
    assert Hub(3).predict([(star, 4), (star[:2], 4)]).tolist() == [1, -1]


def test_a_kernel_finds_the_hubs():
    X, y, *_ = social_networks(400, seed=0)
    learner = Perceptron(kernel=WeisfeilerLehman(1).normalized(), passes=5, random_state=0).fit(
        X[:300], y[:300]
    )
    assert np.mean(learner.predict(X[300:]) == y[300:]) > 0.9


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n": 0}, "n=0"),
        ({"people": 11}, "people=11"),
        ({"friends": 0}, "friends=0"),
        ({"noise": 0.6}, "noise=0.6"),
        ({"groups": 31}, "groups=31"),
    ],
)
def test_parameters_are_checked(changes, message):
    with pytest.raises(ValueError, match=message):
        social_networks(**{"n": 2, "seed": 0, **changes})
