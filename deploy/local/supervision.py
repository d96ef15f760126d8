"""supervisord's configuration file and its remote interface."""

from __future__ import annotations

import shlex
import xmlrpc.client
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from supervisor.xmlrpc import SupervisorTransport

from deploy.local.programs import DATA, ROOT, Program

HEAD = """\
[supervisord]
nodaemon = true
silent = true
directory = {root}
logfile = {var}/logs/supervisord.log
pidfile = {var}/supervisord.pid
childlogdir = {var}/logs
[unix_http_server]
file = {socket}
chmod = 0700
[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
[group:data]
programs = {data}
priority = 1
[group:whistlestop]
programs = {others}
priority = 2
"""
PROGRAM = """\
[program:{name}]
command = {command}
environment = {environment}
autostart = {autostart}
autorestart = true
startsecs = 1
startretries = 1000
stopwaitsecs = 20
killasgroup = true
redirect_stderr = true
stdout_logfile = {var}/logs/{name}.log
stdout_logfile_maxbytes = 10MB
stdout_logfile_backups = 1
"""


def configuration(var: Path, socket: Path, programs: Iterable[Program]) -> str:
    """Gives the text of supervisord.conf: data servers start at once, the rest when told and all restart when they end.

    Only the leader of each program gets the stop signal, for gunicorn and Celery end their own children in good order;
    what is left of a program's group after `stopwaitsecs` is killed.
    """
    programs = list(programs)
    names = {True: [], False: []}
    for program in programs:
        names[program.name in DATA].append(program.name)
    head = HEAD.format(root=_escaped(ROOT), var=_escaped(var), socket=_escaped(socket),
                       data=",".join(names[True]), others=",".join(names[False]))
    if not names[True]:
        head = head.replace("[group:data]\nprograms = \npriority = 1\n", "")
    return head + "".join(
        PROGRAM.format(
            name=program.name,
            command=_escaped(shlex.join(program.command)),
            environment=",".join(f'{name}="{_escaped(value)}"' for name, value in program.env.items()),
            autostart=str(program.name in DATA).lower(),
            var=_escaped(var),
        )
        for program in programs
    )


def full_name(name: str) -> str:
    """Gives a program's name as the remote interface wants it, with its group."""
    return f"{'data' if name in DATA else 'whistlestop'}:{name}"


def remote(socket: Path) -> Any:
    """Gives the XML-RPC interface of a running supervisord."""
    return xmlrpc.client.ServerProxy("http://127.0.0.1", SupervisorTransport(None, None, f"unix://{socket}")).supervisor


def _escaped(value: object) -> str:
    return str(value).replace("%", "%%")
