"""Commands that refuse a flag given twice, where only the last would count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

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


class Commands(typer.Typer):
    """Commands of that kind."""

    def command(self, name: str | None = None, **more: Any) -> Callable[[Function], Function]:
        return super().command(name, **{"cls": Once, **more})
