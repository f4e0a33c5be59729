"""What our commands have that Typer's have not: flags given once and read as typed, loud or quiet."""

from __future__ import annotations

import functools
import inspect
import logging
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from shoal.core.errors import BadParameter

Function = TypeVar("Function", bound=Callable[..., Any])


class AsTyped:
    """What a flag makes of what was typed: texts stay as they are, and our own parsers read the rest.

    Typer would load a library of validators and build one per flag, a tenth of what a command needs to start.
    It still does for whatever is of another kind.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        kind, many = param.type_descriptor, param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        parser = kind.parameter_info.parser
        if parser is not None and not many and isinstance(value, str):
            return parser(value)
        if kind.annotation == list[str] and many and not isinstance(value, str):
            return list(value)
        if parser is None and type(value) is kind.annotation:
            return value
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)

    @classmethod
    def given_to(cls, params: list[Any]) -> list[Any]:
        """The flags of a command, read that way."""
        for param in params:
            param._runtime_param = cls()
        return params


class Group(TyperGroup):
    """A group of commands whose own flags are read as they are typed, some of them called by two words."""

    def get_params(self, ctx: Any) -> list[Any]:
        return AsTyped.given_to(super().get_params(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """`attack matrix FILE` is another command, with flags of its own, than `attack degree FILE`."""
        both = " ".join(args[:2])
        return super().resolve_command(ctx, [both, *args[2:]] if both in self.commands else args)


class Once(TyperCommand):
    """A command whose flags are given once, unless they are repeatable.

    `--quasi birth_date --quasi zip` would else protect the ZIP code alone, and nobody would be told.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        return AsTyped.given_to(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for option, many in Counter(param for param in order if isinstance(param, TyperOption)).items():
            if many > 1 and not (option.multiple or option.is_flag):
                several = ", as in a,b,c" if "a,b,c" in (option.help or "") else ""
                raise BadParameter(
                    f"{option.opts[0]} is given {many} times, and only the last would count; "
                    f"give it once{several}"
                )
        return super().parse_args(ctx, args)


Quiet = Annotated[bool, typer.Option("--quiet", help="Print the result and errors, no remarks.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Tell on standard error what is being done.")]


class Commands(typer.Typer):
    """Commands of that kind, each of which can be loud or quiet."""

    def __init__(self, **more: Any) -> None:
        super().__init__(cls=Group, **more)

    def command(self, name: str | None = None, **more: Any) -> Callable[[Function], Function]:
        register = super().command(name, **{"cls": Once, **more})

        def registered(function: Function) -> Function:
            register(_with_loudness(function))
            return function

        return registered


def _with_loudness(function: Function) -> Callable[..., Any]:
    """The same command with two more flags, which say how much goes to standard error."""

    @functools.wraps(function)
    def called(*given: Any, quiet: bool, verbose: bool, **more: Any) -> Any:
        if quiet and verbose:
            raise BadParameter("--quiet and --verbose exclude each other; give one of them")
        if quiet or verbose:
            logging.getLogger("shoal").setLevel(logging.ERROR if quiet else logging.INFO)
        return function(*given, **more)

    own = inspect.signature(function, eval_str=True)
    added = [parameter_of("quiet", Quiet, False), parameter_of("verbose", Verbose, False)]
    return with_signature(called, [*own.parameters.values(), *added])


def parameter_of(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def with_signature(function: Callable[..., Any], takes: list[inspect.Parameter]) -> Callable[..., Any]:
    """The function with the signature that Typer reads."""
    function.__signature__ = inspect.Signature(takes)  # type: ignore[attr-defined]
    function.__annotations__ = {one.name: one.annotation for one in takes}
    return function
