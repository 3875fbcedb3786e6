"""Help that shows no value behind options that take none; commands that know their options."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

from hlta.cli.option_names import named_for


class _FlagsWithoutValues:
    def get_params(self, ctx: Any) -> list[Any]:
        """The arguments and options of a command."""
        found: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in found:
            if getattr(parameter, "is_flag", False):
                parameter.metavar = ""
        return found


class Command(_FlagsWithoutValues, TyperCommand):
    """One of the verbs; its messages name its options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb."""
        with named_for(self.params):
            return super().invoke(ctx)


class Group(_FlagsWithoutValues, TyperGroup):
    """The verbs together."""
