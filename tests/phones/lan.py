"""The house as phones on the same network find it: by plain http, which no browser trusts."""

from __future__ import annotations

import warnings

import pytest

from config.addresses import local_addresses
from tests.phones.people import Company


def plain_http(company: Company) -> str:
    """Return the house's address on the network, where no browser trusts it."""
    lan = next(iter(local_addresses()), None)
    if lan is None:
        warnings.warn("NO LAN ADDRESS HERE: PLAIN HTTP WAS NOT TESTED", stacklevel=1)
        pytest.skip("THIS MACHINE HAS NO ADDRESS BUT ITS OWN: PLAIN HTTP WAS NOT TESTED")
    return f"http://{lan}:{company.house.port}"
