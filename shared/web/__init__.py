"""What every service stands on: app factory, problems, settings, authentication, client, health, metrics."""

from __future__ import annotations

from shared.contracts.settings import Settings
from shared.web.app import Service, create_app
from shared.web.openapi import Api, Blueprint
from shared.web.problems import Problem
from shared.web.service_auth import allow

__all__ = ["Api", "Blueprint", "Problem", "Service", "Settings", "allow", "create_app"]
