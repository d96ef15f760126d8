"""The public door: tokens, rate limits, resources, streams."""
