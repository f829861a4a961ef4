"""Knave's rules beside the fight: creating, carrying, saving, resting, growing, hiring.

*Knave*, first edition, is by Ben Milton (Questing Beast), CC BY 4.0; these are
its rules in our own words, by the numbers KN-1 to KN-25. Each module holds one
page of them as pure functions over frozen values; `games.rules.knave_fight`
plays the fight.
"""
