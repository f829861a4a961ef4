"""In a Wicked Age at the table: campaigns, chapters, oracles, story sheets, the owe list."""
