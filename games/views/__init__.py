"""HTTP in: pages are read, actions are posted; every write goes through the services."""
