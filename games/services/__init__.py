"""Every write to a table. Pages, sockets, the API and the command line share these doors.

`act.act` takes every action of a seat, `tables` holds what somebody without a
seat does: open a table, sit down, take a seat over. It stands above
`games.deeds`, some of which it does; everything else here stands below.
"""
