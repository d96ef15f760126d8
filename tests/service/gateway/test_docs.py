"""The page at /docs works without the internet and cannot be used against its reader."""

from __future__ import annotations

import re

import pytest
import requests

PAGE = "/docs/index.html"


@pytest.mark.parametrize("path", ["", "/", "/docs"])
def test_the_address_alone_and_docs_lead_to_the_page(gateway, path):
    answer = requests.get(f"{gateway.url}{path}")
    assert (answer.status_code, answer.url) == (200, gateway.url + PAGE)
    assert "<title>Whistlestop API</title>" in answer.text


def test_everything_on_the_page_comes_from_here(gateway):
    page = requests.get(gateway.url + PAGE).text
    linked = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert "/docs/swagger-ui-bundle.js" in linked
    for address in linked:
        assert address.startswith("/docs/")
        assert requests.get(gateway.url + address).status_code == 200
    assert not re.search(r"<script(?! src=)|<style| on\w+=| style=", page)
    assert 'url: "/openapi.json"' in requests.get(f"{gateway.url}/docs/start.js").text


@pytest.mark.parametrize("path", [PAGE, "/docs/start.js", "/docs/swagger-ui.css"])
def test_the_page_may_load_from_here_only(gateway, path):
    policy = requests.get(gateway.url + path).headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert not re.search(r"https?:|\*|unsafe", policy)


@pytest.mark.parametrize("path", ["/docs/../app.py", "/docs/%2e%2e/app.py", "/docs/__init__.py", "/docs//etc/passwd"])
def test_the_page_shows_no_other_files(gateway, path):
    prepared = requests.Request("GET", gateway.url).prepare()
    prepared.url = gateway.url + path
    assert requests.Session().send(prepared).status_code == 404


def test_answers_of_the_api_are_safe_in_a_browser(gateway):
    headers = gateway.get("/rulesets").headers
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
