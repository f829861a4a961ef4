"""Knave's pages beside the live ones: thin, they read a view or call a service."""
