"""What people touch: the command line and its live view, thin over the engine."""
