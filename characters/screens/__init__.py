"""From what a seat may know of Knave to HTML regions: the thinking is here, templates lay out."""
