"""What amendments have changed: events that are gone, events that are new."""

from duels.difference import difference

HIT, PARRIED, LEAKED = ({"code": code} for code in ("hit", "parried", "leaked"))


def test_the_difference_keeps_the_order_and_what_did_not_change_is_left_out():
    assert difference([HIT, PARRIED], [HIT, PARRIED]) == ()
    changes = difference([HIT, LEAKED], [PARRIED, LEAKED])
    assert [(change.sign, change.event["code"]) for change in changes] == [("−", "hit"), ("+", "parried")]
