"""The rules, held to the rulebook: no database, no clock, no network."""
