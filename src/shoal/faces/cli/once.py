"""Commands that refuse a flag given twice, where only the last would count."""

from __future__ import annotations

import functools
import inspect
import logging
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperOption

from shoal.core.errors import BadParameter

Function = TypeVar("Function", bound=Callable[..., Any])


class Once(TyperCommand):
    """A command whose flags are given once, unless they are repeatable.

    `--quasi birth_date --quasi zip` would else protect the ZIP code alone, and nobody would be told.
    """

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
    flags = {"quiet": Quiet, "verbose": Verbose}
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=kind)
        for name, kind in flags.items()
    ]
    called.__signature__ = own.replace(parameters=[*own.parameters.values(), *added])  # type: ignore[attr-defined]
    called.__annotations__ = {**function.__annotations__, **flags}
    return called


class Commands(typer.Typer):
    """Commands of that kind, each of which can be loud or quiet."""

    def command(self, name: str | None = None, **more: Any) -> Callable[[Function], Function]:
        register = super().command(name, **{"cls": Once, **more})

        def registered(function: Function) -> Function:
            register(_with_loudness(function))
            return function

        return registered
