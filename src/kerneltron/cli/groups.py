"""Groups of options: a dataclass whose fields are options of one or several commands."""

from collections.abc import Callable
from copy import copy
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_args, get_type_hints


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command as typer takes it: a parameter that is a group becomes all options of the group.

    The fields of a group are annotated as typer's parameters are. Its `title` stands above them in the help.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from typing import Annotated
    >>> import typer
    >>> @dataclass
    ... class Size:
    ...     title = "Size"
    ...     width: Annotated[int, typer.Option(help="How wide.")] = 80
    >>> def show(name: str, size: Size) -> None:
    ...     print(name, size)
    >>> list(signature(spread(show)).parameters)
    ['name', 'width']
    >>> spread(show)(name="page", width=72)
    page Size(width=72)
    """
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for parameter in signature(function).parameters.values():
        if parameter.name in groups:
            parameters += _options(groups[parameter.name])
        else:
            hint = hints[parameter.name]
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hint))

    @wraps(function)
    def command(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        function(**given)

    described: Any = command
    described.__signature__ = Signature(parameters)
    described.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def _options(group: Any) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=_titled(hints[field.name], group.title),
        )
        for field in fields(group)
    ]


def _titled(hint: Any, title: str) -> Any:
    kind, option = get_args(hint)
    option = copy(option)
    option.rich_help_panel = title
    return Annotated[kind, option]
