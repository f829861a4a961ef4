"""Pages of a campaign beside the live ones; what is written on them takes the one way in."""
