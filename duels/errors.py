"""Why an action is refused. The message is for the person who asked, and says what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.utils.translation import gettext_lazy as _

from rules.core import Finding


class Refused(Exception):  # noqa: N818 - named as one says it
    """The action did not take place; nothing was changed."""

    correctable = False  # whether it could be published as it is all the same, to be corrected (B6.4)

    def __init__(self, message: object) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


class NotAllowed(Refused):
    """This person may not do this."""


class Hidden(NotAllowed):
    """This person may not even know that there is such a duel."""


class TooLate(Refused):
    """What was open is closed: a deadline has passed, or somebody else was faster."""


class AlreadySent(Refused):
    """The same form was sent before: what it asked for is done, and is not done again. `led_to` is where to find it."""

    def __init__(self, led_to: str) -> None:
        super().__init__(_("You had sent this already: it was done then, and is not done a second time."))
        self.led_to = led_to


class Invalid(Refused):
    """What was sent is not acceptable as it is. `field` is the part of the form that is wrong, if it is one; `others`
    are what else is wrong with it."""

    def __init__(self, message: object, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.others: tuple[Invalid, ...] = ()


def check_all(*checks: Callable[[], object]) -> None:
    """Make all of these checks, and raise what they refuse together: the first Invalid, with its `others`."""
    found: list[Invalid] = []
    for check in checks:
        try:
            check()
        except Invalid as refusal:
            found += [refusal, *refusal.others]
    if found:
        found[0].others = tuple(found[1:])
        raise found[0]


class Unplayable(Refused):
    """A filing that the rules refuse: `findings` name the fields and the rules."""

    def __init__(self, message: object, findings: Iterable[Finding]) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


class BadBook(Refused):
    """A spell book that cannot be played: each of `faults` is one line that names the spell and the key."""

    def __init__(self, message: object, faults: Iterable[str]) -> None:
        super().__init__(message)
        self.faults = tuple(faults)
