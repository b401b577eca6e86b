"""Random expressions over parameters of every kind, and points and boxes for them."""

from __future__ import annotations

from hypothesis import strategies as st

from ordbo_cli.problem.parameter import Condition, Number, Parameter

MESHES = ["coarse", "medium", "fine"]
PARAMETERS = (
    Parameter("x", -2.0, 3.0),
    Parameter("n", -4, 5, type="int"),
    Parameter("wall shear", 1e-3, 1e3, scale="log", digits=2),
    Parameter.of_levels("mesh", MESHES),
    Parameter.of_levels("finest", MESHES),
    Parameter.of_levels("grid", [8, 2, 4]),
    Parameter.of_levels("wall", ["sa", "sst", 'k"o'], "categorical"),
    Parameter("tol", 0.0, 1.0, step=0.25, when=(Condition("wall", (1, 2)),)),
)
_NUMBERS = ("x", "n", "`wall shear`", "grid", "tol")
_ORDERS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])


def terms() -> st.SearchStrategy[str]:
    """Return texts of numbers."""
    leaves = st.one_of(
        st.sampled_from(_NUMBERS),
        st.sampled_from(_NUMBERS),
        st.sampled_from(["0", "1", "2", "3", "0.5", "1e3", "-1", "7"]),
    )

    def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        operators = st.sampled_from(["+", "-", "*", "/", "//", "%", "**"])
        calls = st.sampled_from(
            ["abs", "sqrt", "exp", "log", "log10", "sin", "cos", "tan", "floor", "ceil", "round", "-"]
        )
        return st.one_of(
            st.builds("({} {} {})".format, inner, operators, inner),
            st.builds("{}({})".format, calls, inner),
            st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), inner, inner),
        )

    return st.recursive(leaves, grown, max_leaves=6)


def truths() -> st.SearchStrategy[str]:
    """Return texts of expressions that are true or false."""
    words = st.sampled_from([f"'{mesh}'" for mesh in MESHES])
    atoms = st.one_of(
        st.builds("{} {} {}".format, terms(), _ORDERS, terms()),
        st.builds("{} {} {} {} {}".format, terms(), _ORDERS, terms(), _ORDERS, terms()),
        st.builds("mesh {} {}".format, _ORDERS, words),
        st.builds("{} {} finest".format, words, _ORDERS),
        st.builds("mesh {} finest".format, _ORDERS),
        st.builds("wall {} {}".format, st.sampled_from(["==", "!="]), st.sampled_from(["'sa'", '"sst"', '"k""o"'])),
        st.builds("wall {} ['sa', 'sst']".format, st.sampled_from(["in", "not in"])),
        st.builds("{} {} [1, 2, 0.25]".format, terms(), st.sampled_from(["in", "not in"])),
    )

    def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
            st.builds("not ({})".format, inner),
        )

    return st.recursive(atoms, grown, max_leaves=4)


def values(parameter: Parameter) -> st.SearchStrategy[Number]:
    """Return values that can be suggested, most of them at round places."""
    count = parameter.lattice.count
    if parameter.name == "x":
        return st.one_of(st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0]), st.floats(-2.0, 3.0))
    return st.integers(0, count - 1).map(parameter.lattice.value)


def points() -> st.SearchStrategy[tuple[Number, ...]]:
    """Return points, levels as places."""
    return st.tuples(*map(values, PARAMETERS))
