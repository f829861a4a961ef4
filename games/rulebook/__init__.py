"""The rules in our own words, for the pages under /rules/."""
