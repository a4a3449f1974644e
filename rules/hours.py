"""The hours that the rules and the house give, which the site keeps and the proof asks for."""

import datetime as dt

HOUR = dt.timedelta(hours=1)
NOTICE = 48 * HOUR  # between announcement and start (A4.1b)
TO_HIDE = 24 * HOUR  # before the start: later is late (A4.1)
TO_CHOOSE, AFTER_A_CHOICE = 24 * HOUR, 12 * HOUR  # A10.2, A10.2d
TO_CORRECT = dt.timedelta(minutes=30)  # B6.4
STOPPED = 48 * HOUR  # by an appeal, at most
TAKEN_OVER, PUBLISHED = 48 * HOUR, 120 * HOUR  # after the lock
GIVEN_BACK = 24 * HOUR  # of what an outage took, at most
