"""The Celery side of every service."""
