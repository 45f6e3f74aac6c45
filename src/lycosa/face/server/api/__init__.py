"""The REST interface: one module per subject, each with a `router`; every module in this folder is included."""
