"""What the deeds of Knave share: finding rows, telling the log, things, bodies, the fight."""
