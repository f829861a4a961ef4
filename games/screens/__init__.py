"""From what a seat may know to HTML regions: the thinking is here, templates only lay out."""
