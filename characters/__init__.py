"""Knave at the table: player characters, items, hirelings, monsters, encounters."""
