"""What each of Knave's actions does. Importing this package registers them all."""
