"""From the text of an expression to its formula: Python's grammar, of which a short list is allowed."""

from __future__ import annotations

import ast
import keyword
import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

from ordbo_cli.problem.constraints import doubles
from ordbo_cli.problem.constraints import vocabulary as words
from ordbo_cli.problem.constraints.complaints import Mistake
from ordbo_cli.problem.constraints.scan import Scanned, scan
from ordbo_cli.problem.constraints.tree import Constant, Every, Formula, Operation, Relation, Some, Term, Variable
from ordbo_cli.problem.parameter import Fixed, Parameter
from ordbo_cli.problem.spelling import meant, quoted, shown

DEEPEST: Final = 100

_ARITHMETIC: Final[Mapping[type[ast.AST], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
_COMPARED: Final[Mapping[type[ast.AST], str]] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip
_TRUTHS: Final = ast.BoolOp | ast.Compare
_WRITE_ONE: Final = "Write a comparison such as x + 2*y <= 25"


def read(text: str, parameters: Sequence[Parameter | Fixed]) -> tuple[Formula, frozenset[str]]:
    """Return the formula of an expression, and the free parameters that it speaks of.

    Raises:
        Mistake: it cannot be read.
    """
    names = [parameter.name for parameter in parameters]
    try:
        reader = _ExpressionReader(scan(text, names), parameters)
        formula = reader.truth(reader.parsed(), negated=False)
    except Mistake as error:
        # A name with signs in it falls into pieces: wall-shear reads as a difference.
        bare = [name for name in names if not name.isidentifier() and name in text and _spelling(name) not in text]
        hint = (
            f"If {quoted(bare[0])} is meant, put it in backquotes: {shown(_spelling(bare[0]))}" if bare else error.hint
        )
        raise Mistake(error.at, error.said, hint) from None
    if not reader.seen:
        raise Mistake(0, "the expression speaks of no parameter", "A constraint compares parameters")
    return formula, frozenset(name for name in reader.seen if isinstance(reader.parameters[name], Parameter))


def _spelling(name: str) -> str:
    """Return a parameter's name as it stands in an expression."""
    bare = name.isidentifier() and not keyword.iskeyword(name)
    return name if bare else f"`{name.replace('`', '``')}`"


class _ExpressionReader:
    """Reads one expression.

    Args:
        scanned: its tokens.
        parameters: what its names may be.
    """

    def __init__(self, scanned: Scanned, parameters: Sequence[Parameter | Fixed]) -> None:
        self.scanned = scanned
        self.parameters = {parameter.name: parameter for parameter in parameters}
        self.seen: set[str] = set()
        self.depth = 0

    def parsed(self) -> ast.expr:
        """Return Python's tree of the placeholders and operators.

        Raises:
            Mistake: they do not stand as Python's grammar wants them.
        """
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(self.scanned.text, mode="eval").body
        except SyntaxError as error:
            at = self.scanned.origin((error.offset or 1) - 1)
        except (MemoryError, RecursionError, ValueError):
            raise self._too_deep(0) from None
        raise Mistake(at, "the expression makes no sense from here on", "An operator or an operand is missing")

    def truth(self, node: ast.expr, negated: bool) -> Formula:
        """Return what stands where something true or false is expected, or its opposite."""
        self._enter(node)
        if isinstance(node, ast.BoolOp):
            parts = tuple(self.truth(each, negated) for each in node.values)
            made: Formula = Every(parts) if isinstance(node.op, ast.And) != negated else Some(parts)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            made = self.truth(node.operand, not negated)
        elif isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            pairs = [self._compared(sides[k], op, sides[k + 1], negated) for k, op in enumerate(node.ops)]
            made = pairs[0] if len(pairs) == 1 else Some(tuple(pairs)) if negated else Every(tuple(pairs))
        else:
            self._no_truth(node)
        self.depth -= 1
        return made

    def _no_truth(self, node: ast.expr) -> NoReturn:
        """Refuse what is neither true nor false."""
        if isinstance(node, ast.List | ast.Tuple):
            hint = "Join them with and, or make each an entry of the list of constraints"
            raise Mistake(self.at(node), "several expressions stand here", hint)
        if words.is_word(self, node):
            raise Mistake(
                self.at(node), "this is a word or level, neither true nor false", "Compare it, as in a == 'b'"
            )
        self.number(node)
        raise Mistake(self.at(node), "this is a number, neither true nor false", _WRITE_ONE)

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr, negated: bool) -> Formula:
        """Return one comparison of a chain."""
        sign = _COMPARED.get(type(op))
        if sign is None:  # pragma: no cover - "is" does not pass the scanner
            raise Mistake(self.at(right), "this comparison is not known", "Write == or !=")
        if sign in ("in", "not in"):
            return self._listed(left, right, negated != (sign == "not in"))
        if isinstance(left, ast.List | ast.Tuple) or isinstance(right, ast.List | ast.Tuple):
            where = left if isinstance(left, ast.List | ast.Tuple) else right
            raise Mistake(self.at(where), "a list stands here", "Lists go with in: wall in ['a', 'b']")
        if words.is_word(self, left) or words.is_word(self, right):
            return words.compared(self, left, sign, right, negated)
        return self._numbers(sign, self.number(left), self.number(right), negated)

    def _numbers(self, sign: str, left: Term, right: Term, negated: bool) -> Formula:
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Every(()) if doubles.compare(sign, left.value, right.value) != negated else Some(())
        made = Relation(sign, left, right)
        return made.opposite() if negated else made

    def _listed(self, left: ast.expr, right: ast.expr, negated: bool) -> Formula:
        """Return whether something is in a list."""
        if isinstance(right, ast.Name) and self.scanned.atoms[right.id][0] == "name":
            raise Mistake(self.at(right), "a list has to follow in", "Write in [..., ...]")
        items = right.elts if isinstance(right, ast.List | ast.Tuple) else [right]
        if not items:
            raise Mistake(self.at(right), "the list is empty")
        parts = []
        for item in items:
            if words.is_word(self, left) or words.is_word(self, item):
                parts.append(words.compared(self, left, "==", item, negated))
                continue
            term = self.number(item)
            if not isinstance(term, Constant):
                raise Mistake(self.at(item), "a list holds numbers and words only", "Write a == b or a == c")
            parts.append(self._numbers("==", self.number(left), term, negated))
        return words.merged(parts, negated)

    def number(self, node: ast.expr) -> Term:
        """Return what stands where a number is expected."""
        self._enter(node)
        if isinstance(node, ast.Name):
            made = self._named(node)
        elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            sign = _ARITHMETIC[type(node.op)]
            made = self._folded(node, sign, (self.number(node.left), self.number(node.right)))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            made = self._folded(node, "neg", (self.number(node.operand),))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
            made = self.number(node.operand)
        elif isinstance(node, ast.Call):
            made = self._called(node)
        else:
            self._no_number(node)
        self.depth -= 1
        return made

    def _no_number(self, node: ast.expr) -> NoReturn:
        if isinstance(node, _TRUTHS) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            hint = "Join comparisons with and, or and not only"
            raise Mistake(self.at(node), "this is true or false, and a number is expected", hint)
        if isinstance(node, ast.List | ast.Tuple):
            raise Mistake(self.at(node), "a list stands where a number is expected", "Take the comma or brackets out")
        raise Mistake(self.at(node), "this has no meaning in an expression", _WRITE_ONE)

    def _named(self, node: ast.Name) -> Term:
        kind, text = self.scanned.atoms[node.id]
        if kind == "number":
            return Constant(float(text))
        if kind == "word":
            raise Mistake(self.at(node), f"the word {quoted(text)} stands where a number is expected")
        parameter = self.parameter(node, text)
        if isinstance(parameter, Fixed):
            if isinstance(parameter.value, str):
                raise Mistake(self.at(node), f"{quoted(text)} is a word and no number", "Compare it with == or !=")
            return Constant(float(parameter.value))
        if not parameter.levels:
            return Variable(text)
        if words.are_numbers(parameter):
            return Variable(text, tuple(float(level) for level in parameter.levels))
        what = "have no order" if parameter.type == "categorical" else "are words"
        raise Mistake(
            self.at(node),
            f"the values of {quoted(text)} {what}",
            f"Compare it with one of them: {words.example(parameter)}",
        )

    def parameter(self, node: ast.expr, name: str) -> Parameter | Fixed:
        """Return the parameter of a name.

        Raises:
            Mistake: there is none.
        """
        if name not in self.parameters:
            self._unknown(node, name)
        self.seen.add(name)
        return self.parameters[name]

    def _unknown(self, node: ast.expr, name: str) -> NoReturn:
        said, levels = f"the parameter {quoted(name)} is unknown", words.all_levels(self.parameters.values())
        if name in doubles.FUNCTIONS:
            raise Mistake(self.at(node), f"{name} is a function", f"Write {name}(...)")
        if name in levels:
            raise Mistake(self.at(node), said, f"Put the word in quotation marks: {words.spelt(name)}")
        raise Mistake(self.at(node), said, meant(name, self.parameters, _spelling))

    def _called(self, node: ast.Call) -> Term:
        atom = self.scanned.atoms[node.func.id] if isinstance(node.func, ast.Name) else ("", "")
        if atom[0] != "name":
            raise Mistake(self.at(node), "an operator is missing before the bracket", "Write * to multiply")
        name = atom[1]
        if name not in doubles.FUNCTIONS:
            hint = f"Write {shown(name)}*(...)" if name in self.parameters else meant(name, doubles.FUNCTIONS)
            raise Mistake(self.at(node), f"there is no function {quoted(name)}", hint)
        several = name in ("min", "max")
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise Mistake(self.at(node), f"{name} is called with more than numbers", f"Write {name}(...)")
        if len(node.args) != 1 if not several else len(node.args) < 2:
            raise Mistake(self.at(node), f"{name} takes {'two numbers or more' if several else 'one number'}")
        return self._folded(node, name, tuple(self.number(each) for each in node.args))

    def _folded(self, node: ast.expr, operator: str, arguments: tuple[Term, ...]) -> Term:
        """Return an operation, worked out where it is of numbers alone."""
        constants = [each.value for each in arguments if isinstance(each, Constant)]
        if len(constants) < len(arguments):
            return Operation(operator, arguments)
        result = doubles.apply(operator, constants)
        if not math.isfinite(result):
            said = "is undefined" if math.isnan(result) else "is larger than a double can hold"
            raise Mistake(self.at(node), f"the number that stands here {said}")
        return Constant(result)

    def at(self, node: ast.AST) -> int:
        """Return the place in the user's text at which a node begins."""
        return self.scanned.origin(getattr(node, "col_offset", 0))

    def _enter(self, node: ast.AST) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._too_deep(self.at(node))

    @staticmethod
    def _too_deep(at: int) -> Mistake:
        return Mistake(at, "the expression is nested too deeply", f"At most {DEEPEST} operations may follow each other")
