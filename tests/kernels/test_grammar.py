"""Kernels as text: what repr writes is read back, and whatever else is refused at its column."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kerneltron.kernels.all_subsets import AllSubsets
from kerneltron.kernels.conjunctions import Conjunctions, MonotoneConjunctions
from kerneltron.kernels.constant import Constant
from kerneltron.kernels.gaussian import Gaussian
from kerneltron.kernels.grammar import KERNELS, parse
from kerneltron.kernels.linear import Linear
from kerneltron.kernels.polynomial import Polynomial
from kerneltron.kernels.precomputed import Precomputed
from kerneltron.kernels.quadratic_form import QuadraticForm
from kerneltron.kernels.syntax import KernelSyntaxError

A, B = np.array([[2.0, 1.0], [1.0, 3.0]]), np.eye(2)
ATOMS = [
    Linear(),
    Polynomial(3),
    Polynomial(2, c=0.25),
    Gaussian(2.0),
    Gaussian(1e-3, over=Polynomial(2)),
    AllSubsets(),
    AllSubsets(2, exact=True),
    QuadraticForm(A),
    Constant(0),
    Constant(1.5),
]
KERNELS_OF_ALL_KINDS = [
    *ATOMS,
    Conjunctions(),
    Conjunctions(size=2),
    MonotoneConjunctions(3),
    Precomputed(),
    Conjunctions(2) * 0.5 + MonotoneConjunctions() ** 2,
    Constant(1) + Constant(2),
    Constant(0) + Linear(),
    0.5 + Linear() + 1,
    Linear() + (Linear() + Polynomial(2)),
    Linear() * (Linear() * Polynomial(2)),
    2 * (Linear() * (3.0 * Polynomial(2))),
    (2 * Linear()) * Polynomial(2),
    2 * Linear() ** 2,
    (2 * Linear()) ** 2,
    (Linear() ** 2) ** 3,
    Linear() / 3,
    np.float32(0.1) * Linear() + np.int64(3),
    ((0.25 * Linear() + 1).exp() * Gaussian(3)).normalized(),
    (Linear() + 1).polynomial([1, 0, 2.5]).normalized() ** 2 + 1,
    Gaussian(0.5, over=(QuadraticForm(A) + QuadraticForm(B)).normalized()),
    Gaussian(1.0, over=Gaussian(2.0, over=Gaussian(3.0, over=Linear() * 2))),
]


@pytest.mark.parametrize("kernel", KERNELS_OF_ALL_KINDS, ids=repr)
def test_what_repr_writes_is_read_back(kernel):
    again = parse(repr(kernel), kernel.arrays())
    assert again == kernel
    assert repr(again) == repr(kernel)
    assert hash(again) == hash(kernel)


def combined(below):
    numbers = st.integers(0, 3) | st.floats(0, 1e6, allow_nan=False)
    pairs = st.tuples(below, below)
    return st.one_of(
        pairs.map(lambda pair: pair[0] + pair[1]),
        pairs.map(lambda pair: pair[0] * pair[1]),
        st.tuples(numbers, below).map(lambda pair: pair[0] * pair[1]),
        st.tuples(numbers, below).map(lambda pair: pair[0] + pair[1]),
        st.tuples(numbers, below).map(lambda pair: pair[1] + pair[0]),
        st.tuples(below, st.integers(1, 4)).map(lambda pair: pair[0] ** pair[1]),
        st.tuples(below, st.lists(numbers, min_size=1, max_size=3)).map(
            lambda pair: pair[0].polynomial(pair[1])
        ),
        below.map(lambda kernel: kernel.exp()),
        below.map(lambda kernel: kernel.normalized()),
        below.map(lambda kernel: Gaussian(0.5, over=kernel)),
    )


@given(st.recursive(st.sampled_from(ATOMS), combined, max_leaves=6))
@settings(deadline=None, max_examples=200)
def test_every_expression_is_read_back(kernel):
    again = parse(repr(kernel), kernel.arrays())
    assert again == kernel
    assert repr(again) == repr(kernel)


@given(st.text(alphabet="Linear()Gaussian.exp+*/-@_A0129e,=[]'\"\\ \n#:é\0λx", max_size=30))
@settings(deadline=None, max_examples=300)
def test_any_text_is_a_kernel_or_an_error_inside_it(text):
    column = 0
    try:
        parse(text)
    except KernelSyntaxError as error:
        column = error.column
    assert 0 <= column <= len(text)


def test_every_known_name_is_a_kernel_of_that_name():
    for name in KERNELS:
        with pytest.raises(KernelSyntaxError, match=f"{name} has no parameter nothing"):
            parse(f"{name}(nothing=1)")


@pytest.mark.parametrize(
    ("text", "kernel"),
    [
        ("linear", Linear()),
        ("Linear", Linear()),
        ("  Linear (\n)\t", Linear()),
        ("linear.exp()", Linear().exp()),
        ("1 + linear", 1 + Linear()),
        ("0 + Linear()", Linear()),
        ("+Linear()", Linear()),
        ("Linear() / 4", 0.25 * Linear()),
        ("Polynomial(c=1/4, degree=1 + 2*1)", Polynomial(3, c=0.25)),
        ("Polynomial(2**3, 2**-2)", Polynomial(8, c=0.25)),
        ("Polynomial(2, -0.5 + 1)", Polynomial(2, c=0.5)),
        ("Gaussian.from_gamma(0.125)", Gaussian(2.0)),
        ("Gaussian.from_width(c=8.0, over=Linear()) ** 2", Gaussian(2.0, over=Linear()) ** 2),
        ("Gaussian(1_000, over=None)", Gaussian(1000)),
        ("AllSubsets(size=2, exact=True)", AllSubsets(2, exact=True)),
        ("QuadraticForm([[2, 1], [1, 3]])", QuadraticForm(A)),
        ("QuadraticForm(@A) + QuadraticForm( @B_1)", QuadraticForm(A) + QuadraticForm(B)),
        ("QuadraticForm(@2)", QuadraticForm(B)),
        ("Linear().polynomial((1, 2))", Linear().polynomial([1, 2])),
    ],
)
def test_more_ways_to_write(text, kernel):
    assert parse(text, {"A": A, "B_1": B, "2": B}) == kernel


def test_kernels_pass_and_other_things_do_not():
    kernel = Linear().after(abs)
    assert parse(kernel) is kernel
    for wrong in (None, 3, b"Linear()", ["Linear()"]):
        with pytest.raises(TypeError, match="neither a kernel nor its text"):
            parse(wrong)


BAD = [
    ("", 0, "empty"),
    (" \n ", 0, "empty"),
    ("Gausian(2.0)", 0, "Gausian: did you mean Gaussian?"),
    ("1 + gaussian(2.0)", 4, "did you mean Gaussian?"),
    ("  Foo()", 2, "the kernels are AllSubsets"),
    ("foo", 0, "the words that stand for one are 'auto', 'gaussian', 'linear'"),
    ("aut", 0, "did you mean 'auto'"),
    ("gaussain", 0, "did you mean 'gaussian'"),
    ("2 * gaussain", 4, "did you mean Gaussian"),
    ("rbf", 0, "write Gaussian(sigma)"),
    ("poly", 0, "Polynomial(degree)"),
    ("sigmoid", 0, "negative eigenvalues"),
    ("Sum(Linear(), Linear())", 0, "write k1 + k2"),
    ("Gaussian", 0, "Gaussian needs brackets: write Gaussian(sigma, over)"),
    ("Gaussian()", 0, "Gaussian needs sigma"),
    ("2 * Polynomial(c=1)", 4, "Polynomial needs degree"),
    ("Polynomial(2, C=1)", 14, "no parameter C; it has degree, c"),
    ("Linear(1)", 7, "it has none"),
    ("Linear(x=1)", 7, "no parameter x; it has none"),
    ("Polynomial(2, 1, 3)", 17, "takes 2 arguments"),
    ("Polynomial(2, degree=3)", 14, "given degree twice"),
    ("Polynomial(degree=2, degree=3)", 21, "given degree twice"),
    ("Polynomial(*[2])", 11, "not a part of a kernel"),
    ("Polynomial(**2)", 11, "no parameter **"),
    ("1 + Gaussian(-1)", 4, "sigma=-1 must be"),
    ("Linear() + Gaussian.from_gamma(0)", 11, "gamma=0 must be"),
    ("Gaussian.from_sigma(1)", 9, ".from_sigma is not read"),
    ("Linear().polynomial([-1])", 9, "coefficients[0]=-1"),
    ("Linear().polynomial(1)", 9, "not a list"),
    ("Gaussian(1, over=2)", 0, "over=2 is not a kernel"),
    ("Gaussian('a')", 0, "sigma='a' is not a number"),
    ("Linear() ** 0.5", 9, "not a whole number"),
    ("Linear() ** Linear()", 9, "a number, not a kernel"),
    ("2 / Linear()", 2, "a number, not a kernel"),
    ("2 ** Linear()", 2, "a number, not a kernel"),
    ("Linear() / Linear()", 9, "normalized()"),
    ("Linear() / 0", 9, "divided by 0"),
    ("Linear() - Linear()", 9, "difference of kernels"),
    ("(Linear()) - (1)", 11, "difference of kernels"),
    ("1 - Linear()", 2, "difference of kernels"),
    ("1 + -Linear()", 4, "difference of kernels"),
    ("-1 * Linear()", 3, "cone of kernels"),
    ("Linear() + -1", 9, "at least 0"),
    ("Linear() // 2", 9, "this operator"),
    ("Linear() % 2", 9, "this operator"),
    ("Linear() + 'a'", 11, "not 'a'"),
    ("True + Linear()", 0, "not True"),
    ("-'a' + Linear()", 0, "a sign stands before numbers"),
    ("Linear() + Conjunctions()", 9, "one domain"),
    ("3", 0, "Constant(3)"),
    ("'Linear()'", 0, "is not a kernel"),
    ("[Linear()]", 1, "not kernels"),
    ("None", 0, "is not a kernel"),
    ("@A", 0, "an array of the shape (2, 2) is not a kernel"),
    ("1 * @A", 4, "not an array of the shape"),
    ("QuadraticForm(@C)", 14, "no array @C; the arrays are: @A, @B."),
    ("QuadraticForm(_A)", 14, "no kernel _A"),
    ("Linear() @ Linear()", 9, "stands before an array"),
    ("Linear()@A", 8, "stands before an array"),
    ("QuadraticForm(@ A)", 14, "stands before an array"),
    ("QuadraticForm(@@A)", 14, "stands before an array"),
    ("@", 0, "stands before an array"),
    ("Linear(", 6, "never closed"),
    ("Linear() + (Polynomial(2)", 11, "never closed"),
    ("Linear())", 8, "unmatched"),
    ("  Linear(]", 9, "does not match"),
    ("Linear() Linear()", 9, "invalid syntax"),
    ("Linear() +", 10, "stops short"),
    ("Linear() # simple", 9, "cannot stand here"),
    ("Linear()\0", 8, "cannot stand here"),
    ("'\ud800'", 1, "not a character"),
    ("k = Linear()", 2, "invalid syntax"),
    ("Linear(); Linear()", 8, "invalid syntax"),
    ("Gaussian('é', sigm=1)", 14, "no parameter sigm"),
    ("Constant('é') - Linear()", 0, "c='é' is not a number"),
    ("Gaussian(inf)", 9, "must be finite"),
    ("Gaussian(1e999)", 9, "must be finite"),
    ("Gaussian(2j)", 9, "2j is not a part"),
    ("Gaussian(b'a')", 9, "b'a' is not a part"),
    ("Gaussian(...)", 9, "Ellipsis is not a part"),
    ("Gaussian(9**9**9)", 10, "up to 1000"),
    ("Gaussian(9**999)", 10, "not a finite number"),
    ("Gaussian(9.0**999)", 12, "not a finite number"),
    ("Gaussian(1/0)", 10, "not a finite number"),
    ("Gaussian((-8)**0.5)", 13, "not a finite number"),
    ("Gaussian(1e308*10)", 14, "not a finite number"),
    ("Gaussian(" + "9" * 400 + ")", 9, "must be finite"),
    ("Gaussian(" + "9" * 5000 + ")", 5010, "4300 digits"),
    ("(2).exp()", 4, "belongs to kernels, not to 2"),
    ("Linear().exp", 9, "write .exp() with brackets"),
    ("Linear().exq()", 9, "did you mean .exp()?"),
    ("Linear().exp(1)", 13, ".exp takes 0 arguments"),
    ("Linear().gram(1, 2)", 9, "there are exp, normalized, polynomial"),
    ("Linear().after(abs)", 9, "Python function has no text"),
    ("Linear().weighted(lambda X: X)", 9, "Python function has no text"),
    ("FromFunction(<function f at 0x7f>)", 13, "invalid syntax"),
    ("FromFunction(f)", 0, "Python function has no text"),
    ("Linear()()", 0, "stand before a bracket"),
    ("1 + Linear().domain", 13, ".domain is not read"),
    ("Linear().__class__", 9, "__class__ is not read"),
    ("().__class__.__bases__", 13, "__bases__ is not read"),
    ("Linear.__init__.__globals__['os']", 0, "not a part of a kernel"),
    ("Linear().__reduce__()", 9, "__reduce__ is not read"),
    ("__import__('os').system('true')", 17, ".system is not read"),
    ("__import__('os')", 0, "no kernel __import__"),
    ("eval('1')", 0, "no kernel eval"),
    ("Gaussian(eval('1'))", 9, "no kernel eval"),
    ("lambda: 1", 0, "a lambda"),
    ("Gaussian(lambda: 1)", 9, "a lambda"),
    ("[k for k in (1, 2)]", 0, "not a part of a kernel"),
    ("sum(Linear() for i in 'ab')", 0, "no kernel sum"),
    ("Linear() if 1 else Linear()", 0, "not a part of a kernel"),
    ("Linear() and Linear()", 0, "not a part of a kernel"),
    ("Linear() == Linear()", 0, "not a part of a kernel"),
    ("not Linear()", 0, "not a part of a kernel"),
    ("Gaussian(x := 2)", 9, "not a part of a kernel"),
    ("Gaussian(f'{1}')", 9, "not a part of a kernel"),
    ("Gaussian({1: 2})", 9, "not a part of a kernel"),
    ("Linear(), Linear()", 0, "not kernels"),
    ("await Linear()", 0, "not a part of a kernel"),
]


@pytest.mark.parametrize(("text", "column", "fragment"), BAD, ids=lambda value: str(value)[:40])
def test_errors_point_at_the_place(text, column, fragment):
    with pytest.raises(KernelSyntaxError) as caught:
        parse(text, {"A": A, "B": B})
    error = caught.value
    assert fragment in str(error)
    assert error.column == column
    first, shown, caret = str(error).split("\n")
    assert first.startswith(f"column {column + 1}: ")
    if text.strip() and column < len(text):
        assert shown[caret.index("^")] == text[column]


def test_errors_of_constructors_are_chained():
    with pytest.raises(KernelSyntaxError) as caught:
        parse("Gaussian(-1)")
    assert isinstance(caught.value.__cause__, ValueError)


def test_long_texts_are_shown_around_the_place():
    with pytest.raises(KernelSyntaxError) as caught:
        parse("Linear() * 1.0 * " * 9 + "Liner()" + " * Linear()" * 9)
    _, shown, caret = str(caught.value).split("\n")
    assert len(shown) < 120
    assert shown.startswith("    ...")
    assert shown.endswith("...")
    assert shown[caret.index("^") :].startswith("Liner()")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 90000,
        "-" * 90000 + "1",
        "Linear()+" * 10000 + "1",
        "Linear()" + ".exp()" * 10000,
        "Linear()" + ".exp()" * 300,
        "2**" * 20000 + "2",
        "2**" * 300 + "2",
        "not " * 20000 + "1",
        "lambda:" * 10000 + "1",
        "Gaussian(1, over=" * 150 + "Linear()" + ")" * 150,
        "Gaussian(" + "[" * 190 + "-" * 20 + "1" + "]" * 190 + ")",
    ],
    ids=lambda text: text[:10],
)
def test_deep_nesting_is_refused(text):
    with pytest.raises(KernelSyntaxError, match="nested more than 200 deep"):
        parse(text)


def test_deep_but_not_too_deep():
    deep = "Gaussian(1, over=" * 60 + "Linear()" + ")" * 60
    assert parse(deep) == parse(repr(parse(deep)))
    assert parse("Linear()" + ".exp()" * 80) == parse("(" * 80 + "Linear()" + ".exp())" * 80)


def test_enormous_texts_are_refused():
    with pytest.raises(KernelSyntaxError, match="at most 100000 characters"):
        parse("Linear().polynomial([" + "1," * 100_000 + "])")


def test_errors_travel_between_processes():
    with pytest.raises(KernelSyntaxError) as caught:
        parse("Liner()")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.column, copy.text) == (str(caught.value), 0, "Liner()")


def test_nothing_is_run():
    class Watched(dict):
        def __getitem__(self, key):
            raise AssertionError("looked up")

    with pytest.raises(KernelSyntaxError):
        parse("Linear().__class__(@A)", Watched(A=A))


def test_long_sums_are_read_in_time_that_grows_with_their_length():
    k = parse(" + ".join(["Linear()"] * 150))
    assert parse(repr(k)) == k
    assert k([[1.0]]).item() == 150
