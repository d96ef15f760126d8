"""Schemas of everything on the wire, and the names of every queue and task; used on both sides of each call."""
