"""`python -m rules`: play conformance cases, verify the exports of duels, simulate many."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

import rules
from rules import cases
from rules.core import RulesError


def main(arguments: list[str] | None = None) -> int:
    """Run a command, and return the exit status: 0 when all is as it should be."""
    parser = argparse.ArgumentParser(prog="python -m rules", description="Play and check duels outside of the site.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check_ = commands.add_parser("check", help="play conformance cases and compare them with what they expect")
    check_.add_argument("files", nargs="+", metavar="FILE", help="one case, or a list of cases")
    check_.set_defaults(run=lambda given: check(given.files))
    replay_ = commands.add_parser("replay", help="play cases and print the state and events that come of each")
    replay_.add_argument("file", nargs="?", metavar="FILE", help="without it, standard input: one case a line")
    replay_.set_defaults(run=lambda given: replay(given.file))
    verify_ = commands.add_parser("verify", help="check the export of a finished duel")
    verify_.add_argument("file", metavar="FILE", help="the export, as the page of the duel gives it")
    verify_.set_defaults(run=lambda given: verify(given.file))
    _add_simulate(commands)
    given = parser.parse_args(arguments)
    return int(given.run(given))


def _add_simulate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    simulate_ = commands.add_parser(
        "simulate", help="play many duels between simple strategies, and print what came of them"
    )
    simulate_.add_argument("ruleset", choices=rules.names())
    simulate_.add_argument("--duels", type=_count, default=1000, metavar="N")
    simulate_.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed prints the same tables")
    simulate_.add_argument("--level", type=int, metavar="1-8", help="spells: of both duellists; without it, any level")
    simulate_.add_argument("--each-type", action="store_true", help="spells: so many duels for each type of magic")
    simulate_.set_defaults(run=simulate)


def _count(given: str) -> int:
    if not given.isdecimal() or int(given) < 1:
        raise argparse.ArgumentTypeError(f"{given!r} is not a number of duels")
    return int(given)


def check(paths: Iterable[str]) -> int:
    """Play the cases of the files; print a line for each that differs, and how many passed and failed."""
    passed = failed = 0
    for path in paths:
        for number, (content, fault) in enumerate(_contents(path), 1):
            problem = fault or _problem(content)
            if problem is None:
                passed += 1
            else:
                failed += 1
                place = path if fault else f"{path}, case {number}"
                print(" ".join(f"{cases.name_of(content) or place}: {problem}".splitlines()))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _problem(content: Any) -> str | None:
    try:
        return "; ".join(cases.differences(content)) or None
    except RulesError as error:
        return f"error: {error}"


def replay(path: str | None) -> int:
    """Play the cases of a file, or of standard input; print one JSON object a case, as soon as it is played."""
    failed = False
    for content, fault in _contents(path):
        answer = {"id": None, "error": fault} if fault else _answer(content)
        failed = failed or "error" in answer
        print(msgspec.json.encode(answer).decode(), flush=True)
    return 1 if failed else 0


def _answer(content: Any) -> dict[str, Any]:
    try:
        played = cases.play(content)
    except RulesError as error:
        return {"id": cases.name_of(content), "error": str(error)}
    return {"id": played.id, "state": played.state, "events": played.events}


def _contents(path: str | None) -> Iterator[tuple[Any, str | None]]:
    """Return each case of a file (of standard input without one), and why there is none where there should be."""
    try:
        for raw in sys.stdin.buffer if path is None else cases.chunks(path):
            yield from _read(raw)
    except OSError as error:
        yield None, f"cannot be read: {error.strerror}"


def _read(raw: bytes) -> Iterator[tuple[Any, str | None]]:
    if raw.isspace():
        return
    try:
        for content in cases.read(raw):
            yield content, None
    except RulesError as error:
        yield None, str(error)


def simulate(given: argparse.Namespace) -> int:
    """Play duels between simple strategies, and print tables of what came of them."""
    from rules import simulation

    try:
        lines = simulation.simulate(
            given.ruleset, duels=given.duels, seed=given.seed, level=given.level, each_type=given.each_type
        )
    except RulesError as error:
        print(error, file=sys.stderr)
        return 2
    for line in lines:
        print(line)
    return 0


def verify(path: str) -> int:
    """Check the export of a duel."""
    from rules.verify import main

    return main(path)


if __name__ == "__main__":
    sys.exit(main())
