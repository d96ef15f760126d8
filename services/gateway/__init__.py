"""The public door of Whistlestop: tokens, rate limits, resources and streams in front of the other services."""
