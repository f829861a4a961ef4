"""What campaign screens show, as cards; each is built from what was read."""
