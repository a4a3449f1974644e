"""Everything that changes a tournament: one function for one thing that a person or the clock does."""
