"""What the fields of a form on a web page show: what is typed in, what is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tools.workbook.html_values import CellText

_TYPED = frozenset({"text", "number", "date", "tel", "email", "url", "search"})


def typed_in(attributes: Mapping[str, str]) -> str:
    """What an `input` shows as text: nothing for a box to tick and its like."""
    return attributes.get("value", "") if attributes.get("type", "text").strip().lower() in _TYPED else ""


@dataclass(slots=True)
class _Option:
    selected: bool
    disabled: bool
    label: str
    text: CellText = field(default_factory=CellText)

    @property
    def shown(self) -> str:
        return self.label or self.text.value or ""


class Choice:
    """A `select` while it is read: it keeps the options that can be what it shows, which is the last selected one.

    Where none is, a list that drops down shows the first that is not disabled, and a box of several lines nothing; the
    latter shows all that are selected. `hidden` is how many of the elements around it hide it.
    """

    def __init__(self, attributes: Mapping[str, str], hidden: int) -> None:
        self.hidden = hidden
        size = attributes.get("size", "").strip()
        self._is_box = "multiple" in attributes or (
            size.isascii() and size.isdigit() and size.strip("0") not in ("", "1")
        )
        self._kept: list[_Option] = []
        self._open: _Option | None = None
        self._group_disabled = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Takes in the start of an element."""
        if tag == "optgroup":
            self._end_option()
            self._group_disabled = "disabled" in attributes
        elif tag == "option":
            self._end_option()
            disabled = self._group_disabled or "disabled" in attributes
            self._open = _Option("selected" in attributes, disabled, attributes.get("label", "").strip())

    def add(self, text: str) -> None:
        """Takes in text."""
        if self._open is not None:
            self._open.text.add(text, bold=False)

    def end(self, tag: str) -> None:
        """Takes in the end of an element."""
        if tag in ("option", "optgroup"):
            self._end_option()
        if tag == "optgroup":
            self._group_disabled = False

    def shown(self) -> list[str]:
        """The texts of what is shown in the end."""
        self._end_option()
        return [option.shown for option in self._kept if option.shown]

    def _end_option(self) -> None:
        option, self._open = self._open, None
        if option is None:
            return
        if option.selected and not self._is_box:
            self._kept = [option]
        elif option.selected or not (self._is_box or option.disabled or self._kept):
            self._kept.append(option)
