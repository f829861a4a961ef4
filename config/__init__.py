"""Settings, addresses and what the whole house stands on.

Python ships the SQLite that the system has, which on most is one whose faster
journal can be corrupted (`config.checks.WAL_IS_SAFE_FROM`). Where the package
with a newer one is installed it takes its place, before anybody can open a
file with the other: two copies of SQLite in one process undo each other's locks.
"""

import sys

try:
    import pysqlite3
except ImportError:  # no wheel for this machine: the system's own will do
    pass
else:
    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
