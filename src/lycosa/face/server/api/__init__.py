"""The REST interface: one file for each subject, found by being there; each holds a `router`."""
