"""Knave, held to its rules and worked cases."""
