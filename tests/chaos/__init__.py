"""What a bar, a phone and a server can do to the live table, done on purpose (R1 to R10, R13).

Real server processes, a database in a file, a real network between them and the
phones, which are written here in plain Python and keep their own account of what
they were promised. `python -m tests.chaos` runs the full sizes; the tests in this
folder the quick ones, each with a control that shows it can fail.
"""
