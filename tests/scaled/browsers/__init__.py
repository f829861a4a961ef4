"""In a package of its own: a browser owns its thread's loop as long as the package lasts."""
