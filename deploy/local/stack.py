"""A running stack on this machine: start, wait until ready, look inside, kill parts of it, stop."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any

import psutil
from supervisor.states import ProcessStates

from deploy.local import processes
from deploy.local.probes import answers_ping, is_ready
from deploy.local.programs import DATA, HOST, INHERITED, NAMES, ROOT, Site, programs_of
from deploy.local.supervision import configuration, full_name, remote

LAUNCH = Path(__file__).with_name("launch.py")
START_SECONDS = 90
STOP_SECONDS = 40
CLAIM_SECONDS = 1  # who looks whether a folder is claimed holds its lock for a moment
POLL_SECONDS = 0.1
LOG_LINES = 15
STARTED = "the stack is started"
FAILED = (ProcessStates.BACKOFF, ProcessStates.FATAL, ProcessStates.EXITED, ProcessStates.UNKNOWN)


class StackError(Exception):
    """The stack cannot start or is not there; the message says why and what to do."""


class Stack:
    """All of Whistlestop in one folder `var`, which keeps data, secrets and logs from one start to the next.

    Ports are free ones unless given: `Stack(var, ports={"gateway": 8000})`. Data servers are embedded ones unless
    addresses are given. A stack ends with the process that started it, at the latest.
    """

    def __init__(
        self,
        var: Path | str,
        *,
        ports: dict[str, int] | None = None,
        store_url: str = "",
        broker_url: str = "",
        log_level: str = "INFO",
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        given = ports or {}
        chosen = dict(zip(NAMES, processes.free_ports(len(NAMES)), strict=True))
        self.site = Site(Path(var).resolve(), {**chosen, **given}, store_url, broker_url, log_level)
        self.programs = programs_of(self.site)
        self._say = say
        self._supervisor: psutil.Popen | psutil.Process | None = None
        self._socket = Path()
        self._claim: IO[str] | None = None

    @classmethod
    def running(cls, var: Path | str) -> Stack | None:
        """Gives the stack that runs in folder `var`, whoever started it, or None."""
        try:
            told = json.loads(_state_file(Path(var).resolve()).read_text())
            supervisor = psutil.Process(told["supervisor"])
            if supervisor.environ().get(processes.MARK) != str(Path(var).resolve()):
                return None
        except (OSError, psutil.Error):
            return None
        ports = {name: program["port"] for name, program in told["programs"].items()}
        stack = cls(var, ports=ports, store_url=told["store_url"], broker_url=told["broker_url"],
                    log_level=told["log_level"])
        stack._supervisor, stack._socket = supervisor, Path(told["socket"])
        return stack

    @classmethod
    def awaited(cls, var: Path | str, say: Callable[[str], None] = lambda line: None) -> Stack | None:
        """Gives the stack that runs in folder `var`; one that is being started or stopped there is waited for.

        Raises StackError when that takes too long.
        """
        deadline = time.monotonic() + 2 * START_SECONDS
        has_said = False
        while (running := cls.running(var)) is None and _is_claimed(Path(var)):
            if not has_said:
                say(f"A stack is being started or stopped in {var}; waiting for it ...")
                has_said = True
            if time.monotonic() > deadline:
                raise StackError(f"The stack that is being started or stopped in {var} takes too long.")
            time.sleep(POLL_SECONDS)
        return running

    @property
    def address(self) -> str:
        """Where clients find the gateway."""
        return self.site.address

    @property
    def platform_key(self) -> str:
        """The key of the development platform."""
        return self.site.secret("platform_key").read_text().strip()

    def start(self) -> Stack:
        """Starts everything and waits until it can be used.

        Raises StackError when a port is taken or a program does not come up; nothing is left running then.
        """
        if self.running(self.site.var):
            raise StackError(f"A stack already runs in {self.site.var}. Stop it first: make down")
        self._check_ports()
        self._claim_folder()
        try:
            self._prepare()
            self._start_supervisor()
            self._wait("data servers", self._unready_data)
            self._ensure_accounts()
            self._remote().startProcessGroup("whistlestop", False)
            self._wait("services and workers", self._unready_programs)
            self._write_state()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Stops everything in good order: services finish what they are doing, the store is last."""
        if self._supervisor is not None:
            _end(self._supervisor)
        for process in list(processes.of_stack(self.site.var)):
            _end(process)
        _state_file(self.site.var).unlink(missing_ok=True)
        shutil.rmtree(self.site.var / "metrics", ignore_errors=True)
        if self._socket.name:
            shutil.rmtree(self._socket.parent, ignore_errors=True)
        if self._claim:
            self._claim.close()

    def __enter__(self) -> Stack:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def wait_until_stopped(self) -> None:
        """Returns when somebody has stopped the stack."""
        self._supervisor.wait()

    def pids(self) -> dict[str, int]:
        """Gives the process id of each running program's leader."""
        return {info["name"]: info["pid"] for info in self._infos() if info["pid"]}

    def states(self) -> dict[str, str]:
        """Gives for each program whether it is ready, or what the supervisor says of one that does not run."""
        infos = {info["name"]: info for info in self._infos()}
        unready = [*self._unready_data(), *self._unready_programs()]
        return {program.name: _state(infos[program.name], is_ready=program.name not in unready)
                for program in self.programs}

    @property
    def started_at(self) -> float:
        """When the stack was started, in seconds since the epoch."""
        return self._supervisor.create_time()

    def kill(self, name: str) -> int:
        """Kills a program and its children at once (SIGKILL) and gives its old process id; it is started again."""
        pid = self.pids()[name]
        os.killpg(pid, signal.SIGKILL)
        return pid

    def halt(self, name: str) -> None:
        """Stops one program in good order; it stays away until `resume`."""
        self._remote().stopProcess(full_name(name))

    def resume(self, name: str) -> None:
        """Starts a halted program again; `wait_ready` tells when it can be used."""
        self._remote().startProcess(full_name(name), False)

    def wait_ready(self, seconds: float = START_SECONDS) -> None:
        """Waits until every program is ready, such as after `kill`. Raises StackError when that takes too long."""
        self._wait("services and workers", lambda: self._unready_data() + self._unready_programs(), seconds,
                   ended_is_failure=False)

    def memory(self) -> dict[str, int]:
        """Gives the bytes of memory of each program with its children, and of the supervisor."""
        return {**{name: processes.memory(pid) for name, pid in self.pids().items()},
                "supervisor": processes.memory(self._supervisor.pid, descendants=False)}

    def log_tail(self, name: str, lines: int = LOG_LINES) -> str:
        """Gives the last lines a program wrote since the stack was started."""
        try:
            found = (self.site.logs / f"{name}.log").read_text(errors="replace").splitlines()
        except FileNotFoundError:
            return ""
        start = max((number for number, line in enumerate(found, 1) if STARTED in line), default=0)
        return "\n".join(found[start:][-lines:])

    def _claim_folder(self) -> None:
        """Holds a lock until this stack stops, so that two starts at once do not end each other's processes."""
        self.site.var.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._claim = (self.site.var / "lock").open("w")
        deadline = time.monotonic() + CLAIM_SECONDS
        while True:
            try:
                fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > deadline:
                    self._claim.close()
                    raise StackError(f"Another stack is being started or stopped in {self.site.var}.") from None
            time.sleep(POLL_SECONDS)

    def _check_ports(self) -> None:
        for program in self.programs:
            if not processes.is_free(program.port):
                raise StackError(
                    f"Port {program.port}, wanted for the {program.name}, is taken by"
                    f" {processes.listener_on(program.port)}.\n"
                    f"Stop that, or choose another port: make up PORT={program.port + 1}")

    def _prepare(self) -> None:
        var = self.site.var
        for folder in ("store", "broker", "logs", "secrets", *(f"metrics/{name}" for name in NAMES)):
            (var / folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in list(processes.of_stack(var)):
            self._say(f"ending {left.name()} (process {left.pid}), left over from an earlier stack")
            _end(left)
        for name in ("service_secret", "token_secret"):
            if not self.site.secret(name).exists():
                _write_secret(self.site.secret(name), secrets.token_urlsafe(48))
        self._mark_logs()

    def _mark_logs(self) -> None:
        """Logs go on where the last run of the stack left them; a line shows where this one begins."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = json.dumps({"time": now, "level": "info", "service": "stack", "message": STARTED})
        for name in (*(program.name for program in self.programs), "supervisord"):
            with (self.site.logs / f"{name}.log").open("a") as log:
                log.write(f"{line}\n")

    def _start_supervisor(self) -> None:
        self._socket = Path(tempfile.mkdtemp(prefix="whistlestop-")) / "supervisor.sock"
        conf = self.site.var / "supervisord.conf"
        conf.write_text(configuration(self.site.var, self._socket, self.programs))
        with (self.site.logs / "supervisord.log").open("a") as out:
            self._supervisor = psutil.Popen(
                [sys.executable, "-P", str(LAUNCH), str(conf), str(os.getpid())],
                cwd=ROOT, env={**_inherited(), **processes.READABLE, processes.MARK: str(self.site.var)},
                start_new_session=True, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)

    def _ensure_accounts(self) -> None:
        for kind, account, name in (("platform", "dev", "platform_key"), ("bot", "builtin", "bot_token")):
            done = subprocess.run(
                [sys.executable, "-m", "services.gateway.accounts", "ensure", "--kind", kind, "--id", account,
                 "--token-file", str(self.site.secret(name))],
                cwd=ROOT, env={**_inherited(), "STORE_URL": self.site.data_url("store")}, timeout=START_SECONDS,
                capture_output=True, text=True, check=False)
            if done.returncode:
                raise StackError(f"The {kind} account could not be made:\n{done.stderr.strip()[-2000:]}")

    def _unready_data(self) -> list[str]:
        return [name for name in DATA if not answers_ping(self.site.data_url(name))]

    def _unready_programs(self) -> list[str]:
        infos = {info["name"]: info for info in self._infos()}
        return [program.name for program in self.programs
                if program.name not in DATA and not is_ready(program, infos[program.name])]

    def _wait(self, what: str, unready: Callable[[], list[str]], seconds: float = START_SECONDS, *,
              ended_is_failure: bool = True) -> None:
        """Polls until nothing is unready, and says so when what it waits for changes."""
        deadline = time.monotonic() + seconds
        waiting: list[str] | None = None
        while waiting != []:
            if not self._supervisor.is_running() or self._supervisor.status() == psutil.STATUS_ZOMBIE:
                raise StackError(f"The supervisor ended:\n{self.log_tail('supervisord')}")
            before, waiting = waiting, self._unready_now(unready)
            if waiting != before and waiting:
                self._say(f"waiting for {', '.join(waiting)} ...")
            if ended_is_failure:
                self._raise_if_failed()
            if waiting and time.monotonic() > deadline:
                raise StackError(f"The {what} did not become ready within {seconds:.0f} s: {', '.join(waiting)}.\n"
                                 f"The last lines of {waiting[0]}:\n{self.log_tail(waiting[0])}")
            if waiting:
                time.sleep(POLL_SECONDS)

    def _unready_now(self, unready: Callable[[], list[str]]) -> list[str]:
        try:
            return unready()
        except (OSError, HTTPException):
            return ["supervisor"]

    def _raise_if_failed(self) -> None:
        try:
            ended = [info["name"] for info in self._infos() if info["state"] in FAILED]
        except (OSError, HTTPException):
            return
        if ended:
            raise StackError(f"The {ended[0]} program does not start. The last lines it wrote:\n"
                             f"{self.log_tail(ended[0])}")

    def _remote(self) -> Any:
        return remote(self._socket)

    def _infos(self) -> list[dict[str, Any]]:
        return self._remote().getAllProcessInfo()

    def _write_state(self) -> None:
        pids = self.pids()
        told = {
            "supervisor": self._supervisor.pid, "socket": str(self._socket), "address": self.address,
            "store_url": self.site.store_url, "broker_url": self.site.broker_url, "log_level": self.site.log_level,
            "data_urls": {name: self.site.data_url(name) for name in DATA},
            "programs": {name: {"pid": pids.get(name), "port": port, "address": f"{HOST}:{port}"}
                         for name, port in self.site.ports.items()},
        }
        _write_secret(_state_file(self.site.var), json.dumps(told, indent=1))


def _state(info: dict[str, Any], *, is_ready: bool) -> str:
    if info["state"] != ProcessStates.RUNNING:
        return info["statename"].lower()
    return "ready" if is_ready else "not ready"


def _inherited() -> dict[str, str]:
    return {name: os.environ[name] for name in INHERITED if name in os.environ}


def _state_file(var: Path) -> Path:
    return var / "stack.json"


def _is_claimed(var: Path) -> bool:
    """Whether a stack is being started, runs or is being stopped in a folder."""
    try:
        with (var / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _write_secret(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text + "\n")


def _end(process: psutil.Process) -> None:
    """Asks a process to stop; kills it when it does not."""
    try:
        process.terminate()
        process.wait(STOP_SECONDS)
    except psutil.TimeoutExpired:
        process.kill()
        process.wait(STOP_SECONDS)
    except psutil.NoSuchProcess:
        return
