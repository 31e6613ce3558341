"""A model folder from a checkpoint that was trained elsewhere: `unrolled import`."""
