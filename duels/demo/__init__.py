"""A lively little school, loaded through the actions that its members would do themselves: `load.load_school`."""
