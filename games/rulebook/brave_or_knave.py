"""Brave or Knave, told for players."""


def sections():
    return []
