"""Real processes over TCP: workers that are killed or stopped, a client that is killed: the same bytes."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, sleep

import psutil
import pytest

from tests.cluster.examples import write_vw

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
]
WAIT = 120.0  # seconds, after which something hangs
# A map takes its time: rounds are long enough to be in the middle of one.
LEARNER = [
    "--kernel",
    "Gaussian(3.0)",
    "--map",
    "RandomFourier(1500)",
    "--bits",
    "10",
    "--learner",
    "perceptron",
]


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    """Return the words of a training, without a cluster and a model."""
    file = write_vw(tmp_path_factory.mktemp("faults") / "a.vw", n=6000)
    words = [
        "train",
        str(file),
        *LEARNER,
        "--shards",
        "4",
        "--rounds",
        "4",
        "--names",
        "--checkpoint",
    ]
    return [sys.executable, "-m", "kerneltron", *words]


@pytest.fixture(scope="module")
def undisturbed(training, tmp_path_factory):
    """Return the bytes of the model of a training to which nothing happens, on one worker."""
    model = tmp_path_factory.mktemp("undisturbed") / "a.model"
    subprocess.run([*training, "--workers", "1", "-o", model], check=True, capture_output=True, timeout=WAIT)
    return model.read_bytes()


class Run:
    """A training in a process of its own, and whatever it leaves behind."""

    def __init__(self, words, model, folder, *more, **options):
        self.model, self.folder = model, folder
        environment = {**os.environ, "TMPDIR": str(folder)}
        self.process = subprocess.Popen(
            [*words, "-o", model, *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            **options,
        )
        self.seen = set()

    def wait_for_round(self, number):
        """Wait until this many rounds have ended, and the next one goes on; return the workers."""
        from kerneltron.files import format as files

        checkpoint, end = Path(f"{self.model}.checkpoint"), monotonic() + WAIT
        while monotonic() < end:
            self.workers()
            if self.process.poll() is not None:
                pytest.fail(f"it ended early: {self.process.communicate()[0]}")
            if checkpoint.exists() and files.read(checkpoint).header["number"] >= number:
                sleep(0.15)
                return self.workers()
            sleep(0.02)
        return pytest.fail("it hangs")

    def workers(self):
        """Return the processes of workers that are there now."""
        try:
            found = psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []
        self.seen |= {child.pid for child in found}
        return [child for child in found if "spawn_main" in " ".join(_words(child))]

    def ended(self):
        """Return its code and output, when it has ended."""
        try:
            out = self.process.communicate(timeout=WAIT)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            pytest.fail(f"it hangs: {self.process.communicate()[0]}")
        return self.process.returncode, out

    def leaves_nothing(self, but=()):
        """Return whether all its processes and temporary files are gone, after a moment."""
        end = monotonic() + 15
        while monotonic() < end:
            left = [pid for pid in self.seen if _is_running(pid)]
            files = sorted(set(os.listdir(self.folder)) - set(but))
            if not left and not files:
                return True
            sleep(0.1)
        return pytest.fail(f"left behind: processes {left}, files {files}")


def _words(process):
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def _is_running(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory() as found:
        yield Path(found)


def test_two_workers_are_killed_in_the_middle_of_rounds(training, undisturbed, tmp_path, folder):
    run = Run(training, tmp_path / "a.model", folder, "--workers", "2")
    for number in (1, 2):
        os.kill(run.wait_for_round(number)[-1].pid, signal.SIGKILL)
    code, out = run.ended()
    assert code == 0, out
    assert run.model.read_bytes() == undisturbed
    assert run.leaves_nothing()


@pytest.mark.soak
def test_all_workers_are_killed_at_once(training, undisturbed, tmp_path, folder):
    run = Run(training, tmp_path / "a.model", folder, "--workers", "2")
    for worker in run.wait_for_round(2):
        os.kill(worker.pid, signal.SIGKILL)
    code, out = run.ended()
    assert code == 0, out
    assert run.model.read_bytes() == undisturbed
    assert run.leaves_nothing()


@pytest.mark.soak
def test_a_worker_is_stopped_for_a_while(training, undisturbed, tmp_path, folder):
    run = Run(training, tmp_path / "a.model", folder, "--workers", "2")
    worker = run.wait_for_round(1)[0]
    os.kill(worker.pid, signal.SIGSTOP)
    sleep(2)
    os.kill(worker.pid, signal.SIGCONT)
    code, out = run.ended()
    assert code == 0, out
    assert run.model.read_bytes() == undisturbed
    assert run.leaves_nothing()


@pytest.mark.soak
def test_the_client_is_killed_and_another_goes_on(training, undisturbed, tmp_path, folder):
    run = Run(training, tmp_path / "a.model", folder, "--workers", "2")
    run.wait_for_round(2)
    run.process.kill()
    run.process.communicate()
    assert run.leaves_nothing()
    assert not run.model.exists()
    again = Run(training, tmp_path / "a.model", folder, "--workers", "1", "--resume")
    code, out = again.ended()
    assert code == 0, out
    assert run.model.read_bytes() == undisturbed
    assert not Path(f"{run.model}.checkpoint").exists()


@pytest.mark.soak
def test_an_interruption_while_workers_start_is_one_line(training, tmp_path, folder):
    run = Run(training, tmp_path / "a.model", folder, "--workers", "2", start_new_session=True)
    end = monotonic() + WAIT
    while not run.workers() and monotonic() < end:
        sleep(0.01)
    os.killpg(run.process.pid, signal.SIGINT)  # as the terminal does, to workers as well
    code, out = run.ended()
    assert code == 130
    assert out == f"kerneltron: interrupted. {run.model} is as it was. There is no checkpoint yet.\n"
    assert run.leaves_nothing()
    assert not run.model.exists()


@pytest.mark.soak
def test_an_existing_cluster_outlives_a_worker_and_a_client(training, undisturbed, tmp_path, folder):
    where = tmp_path / "scheduler.json"
    environment = {**os.environ, "TMPDIR": str(folder), "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "0"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", where]
    scheduler += ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0"]
    started = [subprocess.Popen(scheduler, **quiet)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", where, "--no-nanny"]
    started += [
        subprocess.Popen([*worker, "--nthreads", "1", "--dashboard-address", ":0"], cwd="/", **quiet)
        for _ in range(2)
    ]
    try:
        end = monotonic() + WAIT
        while not where.exists():
            assert monotonic() < end
            sleep(0.1)
        address = ["--cluster", json.loads(where.read_text())["address"]]
        run = Run(training, tmp_path / "a.model", folder, *address)
        run.wait_for_round(1)
        run.process.kill()
        run.process.communicate()
        again = Run(training, tmp_path / "a.model", folder, *address, "--resume")
        again.wait_for_round(2)
        started[-1].kill()
        code, out = again.ended()
        assert code == 0, out
        assert run.model.read_bytes() == undisturbed
    finally:
        for process in reversed(started):
            process.kill()
            process.communicate()
