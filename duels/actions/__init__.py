"""Everything that changes a duel: one function for one thing that a person or the clock does, each one transaction.

Locks: an action first takes the duel's row (`ledger.held`), then anything else of that duel; no action holds two duels.
"""
