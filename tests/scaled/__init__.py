"""Two processes on PostgreSQL and Redis behind the very proxy of `deploy/`.

With TAPROOM_SCALED=1 the phones' tests are served like that as well: `make test-scaled`.
"""
