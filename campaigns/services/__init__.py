"""What deeds share: finding rows, sheets as values, sequences, the owe list, files."""
