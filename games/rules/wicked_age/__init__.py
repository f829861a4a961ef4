"""In a Wicked Age beside its dice: oracles, casts, interests, strengths, the owe list, growth.

*In a Wicked Age* is by D. Vincent Baker (lumpley games, 2007); these are its rules in our own
words, by the numbers WA-1 to WA-111. Each module holds one page of them as pure functions over
frozen values; `games.rules.wicked_sequence` plays the dice.
"""
