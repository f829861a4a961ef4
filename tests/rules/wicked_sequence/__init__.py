"""An action sequence of In a Wicked Age, held to its rules and worked fights."""
