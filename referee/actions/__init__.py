"""Everything of the referees' desk that changes something: one function, one transaction."""
