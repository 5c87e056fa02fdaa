"""Files that claim what no learner has: another rule, another width, more memory than they have bytes."""

import subprocess
import sys
from copy import deepcopy

import numpy as np
import pytest

from kerneltron import (
    SVM,
    Hasher,
    LogisticRegression,
    ManyTasks,
    Mira,
    PassiveAggressive,
    Perceptron,
    Winnow,
    load,
    save,
)
from kerneltron.cli.running import run
from kerneltron.engine.joint import MiraRule
from kerneltron.engine.multiplicative import WinnowRule
from kerneltron.engine.rules.perceptron import PerceptronRule
from kerneltron.files import rules
from kerneltron.files.format import Contents, ModelFileError, read, write
from kerneltron.jobs.job import Job
from kerneltron.kernels import WeisfeilerLehman
from kerneltron.learning.learner import Learner
from kerneltron.learning.methods import method
from kerneltron.learning.stream_model import StreamModel
from kerneltron.stream.formats.vowpal import Vowpal
from kerneltron.stream.hashing import Hashing
from kerneltron.training import checkpoints

GENERATOR = np.random.default_rng(0)
X = np.abs(GENERATOR.normal(size=(40, 4)))
y = np.arange(40) % 3
TASKS = np.where(y[:, None] == [0, 1], 1, -1)
DUAL = {"kernel": "Gaussian(1.0)", "representation": "dual", "random_state": 0}


def changed(path, thing, change):
    """Save a thing, let `change` work on the header and the tensors, and write what comes of it."""
    save(thing, path)
    contents = read(path)
    change(contents.header, contents.tensors)
    write(path, contents)
    return path


# -- a list for each kind of model -----------------------------------------------------------------------

OTHER_RULES = [MiraRule(1.0), WinnowRule(2.0, 0.5, 4.0, False), WinnowRule(2.0, 0.5, 4.0, True)]


@pytest.mark.parametrize("rule", OTHER_RULES, ids=repr)
@pytest.mark.parametrize("own", [False, True])
def test_tasks_that_are_learned_together_have_only_their_learners_rule(rule, own, tmp_path):
    tasks = ManyTasks(Perceptron(**DUAL), exclude_own_column=own).fit(X, TASKS)

    def change(header, tensors):
        header["model_"]["rule"] = rules.state(rule).header

    with pytest.raises(ModelFileError, match=f"{type(rule).__name__} has no place here"):
        load(changed(tmp_path / "some.model", tasks, change))


@pytest.mark.parametrize("rule", OTHER_RULES, ids=repr)
@pytest.mark.parametrize("form", ["primal", "mapped", "dual"])
def test_a_learner_has_only_its_own_rule(rule, form, tmp_path):
    more = {"dual": DUAL, "mapped": {"kernel": "Polynomial(2)", "representation": "primal"}}
    learner = Perceptron(**more.get(form, {})).fit(X, y)

    def change(header, tensors):
        header["model_"]["rule"] = rules.state(rule).header

    with pytest.raises(ModelFileError, match=f"{type(rule).__name__} has no place here"):
        load(changed(tmp_path / "some.model", learner, change))


def test_steps_adapt_only_where_there_are_weights(tmp_path):
    adaptive = rules.state(LogisticRegression().fit(X, y).model_.rule).header

    def change(header, tensors):
        header["model_"]["rule"] = adaptive

    with pytest.raises(ModelFileError, match="Adaptive has no place here"):
        load(changed(tmp_path / "some.model", LogisticRegression(**DUAL).fit(X, y), change))

    def another(header, tensors):
        header["model_"]["rule"]["gradient"] = rules.state(PerceptronRule(1.0, 0.0)).header

    with pytest.raises(ModelFileError, match="PerceptronRule has no place here"):
        load(changed(tmp_path / "some.model", LogisticRegression().fit(X, y), another))


@pytest.mark.parametrize(
    ("learner", "place", "value", "message"),
    [
        (Mira(), ("hypothesis", "kind"), "vote", "'kind' in the header is 'vote'"),
        (Winnow(), ("form",), "mapped", "'form' in the header is 'mapped'"),
        (Winnow(), ("delta",), 0.5, "has no delta"),
        (Winnow(), ("bias",), 0.0, "the constant feature is 0"),
        (Perceptron(), ("bias",), 1e300, "neither 0 nor 1"),
        (Perceptron(**DUAL), ("form",), "without", "'form' in the header is 'without'"),
    ],
)
def test_forms_and_hypotheses_are_listed_too(learner, place, value, message, tmp_path):
    def change(header, tensors):
        inside = header["model_"]
        for name in place[:-1]:
            inside = inside[name]
        inside[place[-1]] = value

    with pytest.raises(ModelFileError, match=message):
        load(changed(tmp_path / "some.model", learner.fit(X, y), change))


@pytest.mark.parametrize("hypothesis", ["random", "vote"])
def test_tasks_have_no_hypothesis_that_fit_refuses(hypothesis, tmp_path):
    tasks = ManyTasks(Perceptron(**DUAL), exclude_own_column=True).fit(X, TASKS)

    def change(header, tensors):
        header["model_"]["hypothesis"] = {"kind": hypothesis}

    with pytest.raises(ModelFileError, match=f"'kind' in the header is '{hypothesis}'"):
        load(changed(tmp_path / "some.model", tasks, change))


def test_tasks_without_their_own_column_have_one_each(tmp_path):
    tasks = ManyTasks(Perceptron(**DUAL), exclude_own_column=True).fit(X, TASKS)

    def change(header, tensors):
        header["worker"]["n_features_in_"] = 1

    with pytest.raises(ModelFileError, match="2 tasks do not each have a column"):
        load(changed(tmp_path / "some.model", tasks, change))


def test_a_task_is_not_learned_by_mira(tmp_path):
    tasks = ManyTasks(Perceptron(random_state=0)).fit(X, TASKS)
    mira = tmp_path / "mira.model"
    save(Mira().fit(X, TASKS[:, 0]), mira)
    other = read(mira)

    def change(header, tensors):
        header["task0"] = other.header
        for name in [name for name in tensors if name.startswith("task0.")]:
            del tensors[name]
        tensors.update({f"task0.{name}": array for name, array in other.tensors.items()})

    with pytest.raises(ModelFileError, match="Mira cannot learn many tasks"):
        load(changed(tmp_path / "some.model", tasks, change))


# -- checkpoints -----------------------------------------------------------------------------------------


def begun(folder, bits, **parameters):
    source = folder / "examples.vw"
    source.write_text("".join(f"{'ab'[i % 2]} | w{i} v{i % 7} u{i % 2}\n" for i in range(300)))
    learner = Learner(method("perceptron")(random_state=0, **parameters), 1 << bits)
    job = Job(learner, Hashing(bits=bits), Vowpal(), [str(source)])
    return job.training(), job.options()


def test_a_checkpoint_of_another_width_is_refused(tmp_path):
    narrow, _ = begun(tmp_path, 8)
    narrow.run()
    wide, options = begun(tmp_path, 18)
    contents = checkpoints.state(narrow, options)  # its tensors, and the options of an 18-bit training
    with pytest.raises(ModelFileError, match="for 256 slots, and the examples are hashed to 262,144"):
        checkpoints.restore(contents, wide, options)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("progress", [1, 2.0], "the progress is not a number of examples and three sums"),
        ("progress", ["1", 1.0, 1.0, 1.0], "the progress is not a number of examples"),
        ("progress", [1, 1.0, None, 1.0], "'progress' in the header holds None"),
        ("validation", ["high"], "'validation' in the header holds high"),
        ("best_pass", 3, "'best_pass' in the header is 3"),
        ("number", 7, "'number' in the header is 7"),
        ("windows", -1, "'windows' in the header is -1"),
    ],
)
def test_what_a_checkpoint_says_of_the_passes_is_checked(name, value, message, tmp_path):
    training, options = begun(tmp_path, 8)
    training.run()
    contents = checkpoints.state(training, options)
    contents.header[name] = value
    again, _ = begun(tmp_path, 8)
    with pytest.raises(ModelFileError, match=message):
        checkpoints.restore(contents, again, options)
    assert again.progress.examples == 0  # nothing of it was taken over


@pytest.mark.parametrize("name", ["windows", "visits"])
def test_a_checkpoint_within_a_pass_counts_its_mistakes(name, tmp_path):
    training, options = begun(tmp_path, 8)
    training.run()
    contents = checkpoints.state(training, options)
    contents.header[name] = 1
    for part in ("model_", "classes_"):
        del contents.header["learner"][part]
    del contents.tensors["learner.mistakes_"]
    with pytest.raises(ModelFileError, match="a pass has begun, whose mistakes it does not count"):
        checkpoints.restore(contents, begun(tmp_path, 8)[0], options)


def test_a_checkpoint_goes_on_with_the_parameters_of_the_command(tmp_path):
    training, options = begun(tmp_path, 8)
    training.run()
    contents = checkpoints.state(training, options)
    contents.header["learner"]["parameters"] |= {"class_weight": {"pairs": [["a", -1.0]]}, "margin": "x"}
    again, _ = begun(tmp_path, 8)
    checkpoints.restore(contents, again, options)
    assert (again.learner.method.class_weight, again.learner.method.margin) == (None, 0.0)


# -- memory ----------------------------------------------------------------------------------------------

LIMITED = """
import resource, sys
import numpy as np
from kerneltron import load
path, megabytes = sys.argv[1], int(sys.argv[2])
limit = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + megabytes * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
print(load(path).classes_.size)
"""


@pytest.mark.slow
def test_one_long_name_among_many_short_ones_takes_no_more_than_the_file(tmp_path):
    learner = Perceptron().fit(X, np.array(["a", "b"])[y % 2])
    names = sorted([f"n{i}" for i in range(30_000)] + ["z" * 40_000])
    path = tmp_path / "some.model"

    def change(header, tensors):
        header["classes_"] = {"type": "U", "text": names, "length": 40_000}
        for name, array in tensors.items():
            if name.startswith("model_."):
                tensors[name] = np.repeat(array, len(names))

    changed(path, learner, change)
    command = [sys.executable, "-c", "import kerneltron; kerneltron.Perceptron\n" + LIMITED, path, "300"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("30001\n", "")


def test_short_names_stay_what_they_were(tmp_path):
    labels = np.array(["ham", "spam"], "U40")[y % 2]
    save(Perceptron().fit(X, labels), tmp_path / "some.model")
    assert load(tmp_path / "some.model").classes_.dtype == "U40"


def test_rounds_without_end_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"h=10000000 must be at most 1,000"):
        WeisfeilerLehman(h=10**7)
    graphs = [([(0, 1)], ["C", "O"]), ([(0, 1)], ["C", "C"])]
    learner = Perceptron(kernel=WeisfeilerLehman(h=2)).fit(graphs, [0, 1])

    def change(header, tensors):
        header["model_"]["kernel"]["kernel"] = "WeisfeilerLehman(h=10000000)"

    with pytest.raises(ModelFileError, match="must be at most 1,000"):
        load(changed(tmp_path / "some.model", learner, change))


@pytest.mark.parametrize("name", ["signed", "binary", "normalize", "lowercase"])
def test_settings_of_a_hasher_that_are_true_or_false_are_nothing_else(name, tmp_path):
    with pytest.raises(TypeError, match=f"{name}='x' is neither True nor False"):
        Hashing(**{name: "x"})

    def change(header, tensors):
        header["hashing"][name] = [1]

    with pytest.raises(ModelFileError, match="neither True nor False"):
        load(changed(tmp_path / "some.model", Hasher(bits=4), change))


def test_a_delta_that_cannot_be_squared_is_refused(tmp_path):
    with pytest.raises(ValueError, match="delta=1e\\+200 must be at most 1e\\+75"):
        Perceptron(delta=1e200, kernel="Gaussian(1)").fit(X, y)

    def change(header, tensors):
        header["model_"]["delta"] = 1e200

    with pytest.raises(ModelFileError, match="delta is 1e\\+200"):
        load(changed(tmp_path / "some.model", Perceptron(**DUAL).fit(X, y), change))


@pytest.mark.parametrize("resumable", [True, False])
def test_a_clock_has_room_to_go_on(resumable, tmp_path):
    path = tmp_path / "some.model"
    save(Perceptron().fit(X, y), path, resumable)
    contents = read(path)
    contents.tensors["model_.weights.clock"] = np.full(3, 2**63 - 5)
    write(path, contents)
    with pytest.raises(ModelFileError, match="has no room to go on"):
        load(path)


# -- which examples are remembered, and how examples are read ----------------------------------------------


@pytest.mark.parametrize("resumable", [True, False])
@pytest.mark.parametrize(
    ("origins", "message"),
    [
        (np.zeros_like, "'origins' holds an example twice"),
        (lambda o: np.full_like(o, 10**9), "not one of the 40 seen"),
        (lambda o: np.append(o[:-1], 40), "not one of the 40 seen"),
        (lambda o: np.append(-1, o[1:]), "not one of the 40 seen"),
    ],
    ids=["all the same", "far away", "one too far", "none"],
)
def test_remembered_examples_are_different_ones_of_those_that_were_seen(
    origins, message, resumable, tmp_path
):
    path = tmp_path / "some.model"
    save(SVM(kernel="Gaussian(1)", warm_start=True).fit(X, y), path, resumable)
    contents = read(path)
    contents.tensors["model_.origins"] = origins(contents.tensors["model_.origins"])
    write(path, contents)
    with pytest.raises(ModelFileError, match=message):
        load(path)


def test_a_machine_starts_warm_from_a_file(tmp_path):
    machine = SVM(kernel="Gaussian(1)", warm_start=True).fit(X, y)
    save(machine, tmp_path / "some.model")
    again = load(tmp_path / "some.model").fit(X, y)
    assert again.n_updates_ == 0  # it was at the optimum, and still is
    np.testing.assert_allclose(again.decision_function(X), machine.decision_function(X))


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """The contents of a model of a table, as the command line wrote it."""
    folder = tmp_path_factory.mktemp("table")
    (folder / "some.csv").write_text("label,word,x\n" + "a,red,1\nb,blue,2\n" * 10)
    command = ["train", str(folder / "some.csv"), "-o", str(folder / "some.model"), "--bits", "6", "--quiet"]
    assert run(command) == 0
    return read(folder / "some.model")


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("delimiter",), [","], "is not text"),
        (("delimiter",), ["x", "y"], "is not text"),
        (("delimiter",), None, "The delimiter None is not text"),
        (("delimiter",), ",,", "must be one ASCII character"),
        (("header",), "no", "header='no' is neither True nor False"),
        (("columns",), {"label": "label"}, "not a list of names and roles"),
        (("columns", 1), "word", "not a list of names and roles"),
        (("columns", 1, 0), 7, "not a list of names and roles"),
        (("columns", 1, 0), None, "not a list of names and roles"),
        (("columns", 1, 1), ["text"], "not a list of names and roles"),
        (("columns", 1, 1), "words", "'words' is not a role"),
        (("columns", 1, 0), "x", "Two columns have the same name"),
        (("name",), 3, "no format '3'"),
    ],
)
def test_how_examples_are_read_is_said_in_the_right_types(place, value, message, table, tmp_path):
    header = deepcopy(table.header)
    inside = header["reading"]
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value
    path = tmp_path / "some.model"
    write(path, Contents(header, table.tensors))
    for open_it in (load, StreamModel.load):
        with pytest.raises(ModelFileError, match=message) as caught:
            open_it(path)
        assert str(path) in str(caught.value)


def test_a_kernel_that_did_not_pack_the_examples_is_refused_when_more_come(tmp_path):
    learner = PassiveAggressive(kernel="Gaussian(1)", budget=5, when_full="merge").fit(X, y)

    def change(header, tensors):
        header["model_"]["kernel"]["kernel"] = "Linear()"

    path = changed(tmp_path / "some.model", learner, change)
    with pytest.raises(ValueError, match=r"packed by different kernels|does not|no place"):
        load(path).partial_fit(X, y)


def test_a_number_of_visits_that_nobody_made_is_refused(tmp_path):
    def change(header, tensors):
        header["calibration_"]["weight"] = 1e308

    with pytest.raises(ModelFileError, match="not those of any scores"):
        load(changed(tmp_path / "some.model", LogisticRegression(random_state=0).fit(X, y), change))
