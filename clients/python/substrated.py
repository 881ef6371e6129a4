"""Read and change the state of running applications through the substrate daemon.

One file for Python 3.9 or newer, without dependencies: copy it beside your program.

    from substrated import Substrate

    substrate = Substrate()  # the key is that of SUBSTRATE_KEY
    shop = substrate.ready("coffee-shop")["pid"]
    print(substrate.state(shop, keys=["shop.queue.**"])["objects"])
    substrate.action(
        shop, "shop.placeOrder", {"customer": "Hedy", "drink": "tea"},
        verify='shop.queue.some(o => o.customer === "Hedy")',
    )
    for event in substrate.watch(shop):
        print(event["kind"])

An app is given by its pid, its app_id, or its name or words of that; one of another host of a fleet as "host/app".
Times are in seconds. Whatever goes wrong is a SubstrateError; its `code` says what.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import io
import json
import os
import random
import re
import socket
import struct
import sys
import time
import urllib.parse
from typing import (
    Any, Dict, Iterator, List, Literal, Mapping, NoReturn, Optional, Sequence, Tuple, TypedDict, Union, cast,
)

__all__ = [
    "ActionParameter", "ActionResult", "ActionSchema", "App", "AppSummary", "Change", "ChangeEvent", "ChangedEntry",
    "Context", "Correction", "Diff", "Event", "Health", "Host", "Hosts", "LearnResult", "PresentEntry", "ProbeMetadata", "Scalar",
    "Schema", "State", "StateEvent", "Substrate", "SubstrateError", "UnmatchedGlob", "Verification", "VerifyResult",
]

Scalar = Union[str, int, float, bool, None]
App = Union[int, str]
"""A pid; an app_id, a name, words of it or the beginning of one. Of several processes of one app the newest is meant.
Of another host of the fleet: "host/app"."""

_DEFAULT_URL = "http://127.0.0.1:7842"
_PREFIX = "/substrate/v1"
_HOST = r"[0-9A-Za-z_-]{1,63}"
_TIMEOUT = 130.0  # longer than the daemon itself takes for anything
_MAX_RETRIES = 8
_ACCEPT_SECONDS = 5.0  # a daemon takes connections at once; one that was stopped, never
_MAX_FRAME = 64 * 1024 * 1024
_LONGEST_PAUSE = 30.0
_NORMAL_CLOSURE = 1000


# ---- what the daemon answers; docs/api.md describes every field --------------------------------------------------


class Health(TypedDict):
    status: Literal["ok", "degraded"]
    version: str
    uptime_secs: int
    tracked_processes: int
    auth_enabled: bool


class Host(TypedDict):
    host: str
    version: str
    since: str
    self: bool
    problem: Optional[str]


class Hosts(TypedDict):
    host: Optional[str]
    problem: Optional[str]
    total: int
    hosts: List[Host]


class _AppSummary(TypedDict):
    pid: int
    app_id: str
    app_name: str
    runtime: str
    runtime_name: str
    probe_status: Literal["detecting", "attaching", "cold_probe", "active", "error", "detached"]
    confidence: float
    confidence_reason: Optional[str]
    object_count: int
    action_count: int
    last_captured_at: Optional[str]
    has_state: bool
    current_view: Optional[str]
    current_url: Optional[str]


class Origin(TypedDict):
    engine: Optional[str]
    id: Optional[str]
    name: str
    pod: Optional[str]


class AppSummary(_AppSummary, total=False):
    aliases: List[str]
    origin: Origin


class Context(TypedDict):
    url: Optional[str]
    location: Optional[str]
    view: Optional[str]
    window_title: Optional[str]
    window_id: Optional[str]


class _ActionParameter(TypedDict):
    name: str
    type_name: Literal["string", "number", "boolean", "array", "object"]
    required: bool


class ActionParameter(_ActionParameter, total=False):
    description: str


class ActionSchema(TypedDict):
    signature: str
    reversibility: Literal["reversible_read", "reversible_write", "irreversible_write"]
    description: str
    confidence: float
    parameters: List[ActionParameter]


class ProbeMetadata(TypedDict):
    capture_latency_ms: int
    labeling_latency_ms: int
    total_latency_ms: int
    raw_object_count: int
    filtered_object_count: int
    cache_hit: bool
    dom_tier_used: bool
    probe_tier: str


class UnmatchedGlob(TypedDict):
    """A glob that matches no key, and keys or beginnings of keys that are spelled alike."""

    glob: str
    nearest: List[str]


class _State(TypedDict):
    capture_id: str
    app_id: str
    app_name: str
    pid: int
    runtime: str
    schema_version: str
    captured_at: str
    confidence: float
    confidence_reason: str
    context: Context
    objects: Dict[str, Scalar]
    actions: Dict[str, ActionSchema]
    probe_metadata: ProbeMetadata


class State(_State, total=False):
    unmatched: List[UnmatchedGlob]


class Schema(TypedDict):
    pid: int
    app_id: str
    app_name: str
    schema_version: str
    actions: Dict[str, ActionSchema]


class ChangedEntry(TypedDict):
    path: str
    before: Scalar
    after: Scalar


class PresentEntry(TypedDict):
    path: str
    value: Scalar


class Diff(TypedDict):
    pid: int
    app_id: str
    capture_id: str
    prev_capture_id: str
    changed: List[ChangedEntry]
    added: List[PresentEntry]
    removed: List[PresentEntry]


class Verification(TypedDict):
    passed: bool
    expression: str
    computed_value: Any
    explanation: str
    latency_ms: int
    poll_cycles: int
    changed_fields: List[ChangedEntry]


class _VerifyResult(Verification):
    evaluated_at: str


class VerifyResult(_VerifyResult, total=False):
    actual_value: Any


class Change(TypedDict):
    before: Scalar
    after: Scalar


class ActionResult(TypedDict):
    success: bool
    action_id: str
    action: str
    executed: bool
    runtime: str
    total_latency_ms: int
    message: str
    verification: Optional[Verification]
    updated_state: Optional[State]
    state_delta: Optional[Dict[str, Change]]
    raw_return: Any
    invocation_context: Optional[Dict[str, Optional[str]]]


class _Correction(TypedDict):
    observed_key: str
    correct_label: str
    correct_type: str


class Correction(_Correction, total=False):
    confidence: float
    notes: str
    binding: str


class LearnResult(TypedDict):
    accepted: int
    rejected: int
    new_schema_version: str
    message: str


class StateEvent(TypedDict):
    """The whole state: at the beginning, after a lost connection, and when changes were missed."""

    kind: Literal["state"]
    state: State


class _ChangeEvent(TypedDict):
    kind: Literal["change"]
    pid: int
    app_id: str
    capture_id: str
    prev_capture_id: Optional[str]
    sequence: int
    changed_keys: List[str]
    timestamp: str


class ChangeEvent(_ChangeEvent, total=False):
    """Names the keys that changed, not their values: read the state, or the diff since `prev_capture_id`. One with
    `unmatched` reports no change: these globs match nothing at the moment."""

    unmatched: List[UnmatchedGlob]


Event = Union[StateEvent, ChangeEvent]


class SubstrateError(Exception):
    """What went wrong. `code` is one of the API's own, or one of these:

    unreachable          nobody answers, or not as the daemon would
    foreign_listener     another user's process listens at the daemon's address; nothing was sent to it
    ambiguous            a name that several apps have
    action_failed        the action ran, and the app itself failed; `result` is the answer
    verification_failed  what was to be true is not; `result` is the answer
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        executed: Optional[bool] = None,
        result: Union[ActionResult, VerifyResult, None] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.executed = executed
        self.result = result

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


# ---- the client ----------------------------------------------------------------------------------------------------


class Substrate:
    """The daemon's API. May be used by several threads: each request has a connection of its own."""

    def __init__(self, url: Optional[str] = None, key: Optional[str] = None) -> None:
        """Without arguments: the daemon at SUBSTRATE_URL or 127.0.0.1:7842, and the key in SUBSTRATE_KEY."""
        self.url = (url or os.environ.get("SUBSTRATE_URL") or _DEFAULT_URL).rstrip("/")
        self._key = key or os.environ.get("SUBSTRATE_KEY") or None
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError(f"{self.url!r} is no address of a daemon: expected one such as {_DEFAULT_URL}.")
        self._is_secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port or (443 if self._is_secure else 80)
        self._prefix = _PREFIX

    def on(self, host: str) -> Substrate:
        """The same for another host of the fleet, which the daemon passes requests on to."""
        if re.fullmatch(_HOST, host) is None:
            raise ValueError(f"{host!r} is no name of a host.")
        there = Substrate(self.url, self._key)
        there._prefix = f"{_PREFIX}/hosts/{host}"
        return there

    def hosts(self) -> Hosts:
        """The daemons of the fleet."""
        answer: Hosts = self._request(f"{_PREFIX}/hosts")
        return answer

    def health(self) -> Health:
        answer: Health = self._request("/health" if self._prefix == _PREFIX else f"{self._prefix}/health")
        return answer

    def apps(self) -> List[AppSummary]:
        found: List[AppSummary] = self._request(f"{self._prefix}/apps")["apps"]
        return found

    def app(self, app: App) -> AppSummary:
        """The summary of one app. Raises `not_found`, or `ambiguous` where a name may mean several."""
        there, app = self._place(app)
        if there is not self:
            return there.app(app)
        everything = self.apps()
        if isinstance(app, int):
            found = [one for one in everything if one["pid"] == app]
        else:
            found = _named([one for one in everything if one["probe_status"] != "detached"], app)
        if not found:
            tracked = ", ".join(sorted({one["app_id"] for one in everything})) or "none"
            raise SubstrateError("not_found", f"There is no app {app!r}. Tracked are: {tracked}.", status=404)
        if len({one["app_id"] for one in found}) > 1:
            candidates = ", ".join(f"{one['app_id']} (pid {one['pid']})" for one in found)
            raise SubstrateError("ambiguous", f"{app!r} may be any of {candidates}. Name it by its pid.")
        # The list has the newest last.
        return ([one for one in found if one["has_state"]] or found)[-1]

    def ready(self, app: App, timeout: float = 30.0) -> AppSummary:
        """The app when its state can be read: for one that was just started. Attaches to it if need be."""
        there, app = self._place(app)
        if there is not self:
            return there.ready(app, timeout)
        deadline = time.monotonic() + timeout
        asked: Optional[int] = None
        while True:
            is_last = time.monotonic() >= deadline
            try:
                found = self.app(app)
                if found["has_state"]:
                    return found
                if is_last:
                    self.state(found["pid"])  # raises what is wrong
                elif asked != found["pid"]:
                    asked = found["pid"]
                    self._attach(asked)
            except SubstrateError as error:
                if is_last or error.code != "not_found":
                    raise
            time.sleep(0.1)

    def _attach(self, pid: int) -> None:
        try:
            self._request(f"{self._prefix}/attach/{pid}", body={})
        except SubstrateError:
            pass  # the state says at the end what is wrong

    def state(self, app: App, *, keys: Sequence[str] = (), fresh: bool = False, all: bool = False) -> State:
        """The state of an app. `keys`: globs such as `cart.**`. `fresh`: look now. `all`: unimportant keys, too."""
        query = {**_keys_query(keys), **({"fresh": "true"} if fresh else {}), **({"all": "true"} if all else {})}
        there, pid = self._at(app)
        answer: State = there._request(f"{there._prefix}/state/{pid}", query=query)
        return answer

    def schema(self, app: App) -> Schema:
        """The actions of an app, with their parameters."""
        there, pid = self._at(app)
        answer: Schema = there._request(f"{there._prefix}/schema/{pid}")
        return answer

    def diff(self, app: App, since: str) -> Diff:
        """What has changed since a capture_id."""
        there, pid = self._at(app)
        answer: Diff = there._request(f"{there._prefix}/diff/{pid}", query={"since": since})
        return answer

    def try_action(
        self,
        app: App,
        action: str,
        parameters: Optional[Mapping[str, Any]] = None,
        *,
        verify: Optional[str] = None,
        verify_timeout: Optional[float] = None,
        fresh_state: bool = False,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> ActionResult:
        """Does something and returns what came of it: look at `success`. Raises only where the action was refused.

        verify: what must be true afterwards; needed for actions that cannot be undone. idempotency_key: the action
        runs once, however often it is sent with it. if_match: a capture_id; the action is refused if what it reads has
        changed since.
        """
        there, pid = self._at(app)
        body: Dict[str, Any] = {"pid": pid, "action": action, "parameters": dict(parameters or {})}
        if verify is not None:
            body["verify_expression"] = verify
        if verify_timeout is not None:
            body["verify_timeout_ms"] = round(verify_timeout * 1000)
        if fresh_state:
            body["fresh_state"] = True
        headers: Dict[str, str] = {}
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        answer: ActionResult = there._request(f"{there._prefix}/action", body=body, headers=headers, also_good=(422,))
        return answer

    def action(
        self,
        app: App,
        action: str,
        parameters: Optional[Mapping[str, Any]] = None,
        *,
        verify: Optional[str] = None,
        verify_timeout: Optional[float] = None,
        fresh_state: bool = False,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> ActionResult:
        """As `try_action`, but raises `verification_failed` or `action_failed` when it did not succeed."""
        result = self.try_action(
            app, action, parameters, verify=verify, verify_timeout=verify_timeout, fresh_state=fresh_state,
            idempotency_key=idempotency_key, if_match=if_match,
        )
        if result["success"]:
            return result
        verification = result["verification"]
        if verification is not None and not verification["passed"]:
            raise SubstrateError("verification_failed", verification["explanation"], executed=True, result=result)
        raise SubstrateError("action_failed", result["message"], executed=result["executed"], result=result)

    def verify(self, app: App, expression: str, timeout: float = 5.0) -> VerifyResult:
        """Whether an expression is true, or becomes true in time (0.1 to 30 s). `explanation` says why."""
        there, pid = self._at(app)
        body = {"pid": pid, "expression": expression, "timeout_ms": round(timeout * 1000)}
        answer: VerifyResult = there._request(f"{there._prefix}/verify", body=body)
        return answer

    def wait(self, app: App, expression: str, timeout: float = 30.0) -> VerifyResult:
        """Until an expression is true. Raises `verification_failed` when it does not come true in time."""
        there, pid = self._at(app)
        deadline = time.monotonic() + timeout
        while True:
            remaining = min(30.0, max(0.1, deadline - time.monotonic()))
            result = there.verify(pid, expression, remaining)
            if result["passed"]:
                return result
            if time.monotonic() >= deadline:
                raise SubstrateError("verification_failed", result["explanation"], result=result)

    def learn(
        self,
        app: App,
        state: State,
        corrections: Sequence[Correction],
        feedback_type: Literal["label_correction", "type_correction", "action_correction"] = "label_correction",
    ) -> LearnResult:
        """Teaches the daemon better names; `state` is the one in which the keys were seen."""
        body = {
            "capture_id": state["capture_id"],
            "schema_version": state["schema_version"],
            "feedback_type": feedback_type,
            "corrections": list(corrections),
        }
        there, pid = self._at(app)
        answer: LearnResult = there._request(f"{there._prefix}/learn/{pid}", body=body)
        return answer

    def watch(
        self, app: App, *, keys: Sequence[str] = (), states: bool = True, timeout: Optional[float] = None
    ) -> Iterator[Event]:
        """The state, then every change, until the app ends or `timeout` seconds are over.

        A lost connection is made again after 1, 2, 4 … 30 s. `states=False`: only the changes, nothing is read.
        """
        there, pid = self._at(app)
        deadline = None if timeout is None else time.monotonic() + timeout
        failures = 0
        while True:
            try:
                with _WebSocket(self, f"{there._prefix}/watch/{pid}", _keys_query(keys)) as connection:
                    # Read after the connection is there: what changes from now on is reported.
                    if states:
                        yield {"kind": "state", "state": there.state(pid, keys=keys)}
                    failures = 0
                    expected: Optional[int] = None
                    for text in connection.messages(deadline):
                        told = _parsed(text)
                        if not isinstance(told, dict):
                            break  # no daemon says this: another connection is made
                        change = cast(ChangeEvent, {"kind": "change", **told})
                        if "unmatched" in change:
                            yield change  # no change, and not numbered as one
                            continue
                        is_gap = expected is not None and change["sequence"] != expected
                        expected = change["sequence"] + 1
                        yield change
                        if is_gap and states:
                            yield {"kind": "state", "state": there.state(pid, keys=keys)}
                    if connection.close_code == _NORMAL_CLOSURE:
                        return
            except TimeoutError:
                return
            except SubstrateError as error:
                is_passing = error.code == "unreachable" or error.status == 429 or (error.status or 0) >= 500
                if not is_passing:
                    raise
            pause = min(_LONGEST_PAUSE, 2.0**failures)
            failures += 1
            if deadline is not None and time.monotonic() + pause >= deadline:
                time.sleep(max(0.0, deadline - time.monotonic()))
                return
            time.sleep(pause)

    # ---- requests ------------------------------------------------------------------------------------------------

    def _place(self, app: App) -> Tuple[Substrate, App]:
        """The daemon of the host that is meant, and the app there."""
        elsewhere = re.fullmatch(f"({_HOST})/(.+)", app, re.DOTALL) if isinstance(app, str) else None
        if elsewhere is None:
            return self, app
        host, named = elsewhere.groups()
        return self.on(host), int(named) if re.fullmatch(r"[0-9]{1,10}", named) else named

    def _at(self, app: App) -> Tuple[Substrate, int]:
        there, named = self._place(app)
        return there, named if isinstance(named, int) else there.app(named)["pid"]

    def _headers(self) -> Dict[str, str]:
        return {} if self._key is None else {"X-Substrate-Key": self._key}

    def _connect(self) -> http.client.HTTPConnection:
        """A connection of which it is known who is at the other end. Nothing has been sent yet."""
        kind = http.client.HTTPSConnection if self._is_secure else http.client.HTTPConnection
        connection: http.client.HTTPConnection = kind(self._host, self._port, timeout=_TIMEOUT)
        try:
            connection.connect()
            # With TLS the certificate says who answers.
            if not self._is_secure:
                _check_peer(connection.sock)
        except OSError as error:
            connection.close()
            self._unreachable(error)
        except SubstrateError:
            connection.close()
            raise
        # Another connection would not have been looked at.
        connection.auto_open = 0
        return connection

    def _unreachable(self, cause: Exception) -> NoReturn:
        message = f"No substrate answers at {self.url}. Start it with: substrate up"
        raise SubstrateError("unreachable", message) from cause

    def _request(
        self,
        path: str,
        *,
        query: Optional[Mapping[str, str]] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        also_good: Tuple[int, ...] = (),
    ) -> Any:
        """The answer, as JSON. What was refused because there were too many is asked again when the daemon says so."""
        target = f"{path}?{urllib.parse.urlencode(query)}" if query else path
        for attempt in range(1, _MAX_RETRIES + 2):
            status, answer = self._once(target, body, headers or {})
            if answer is not None and (200 <= status < 300 or status in also_good):
                return answer
            error = _error_of(status, answer, self.url)
            if error.code != "rate_limited" or attempt > _MAX_RETRIES:
                raise error
            # Many may have been refused at once: they come back one after the other.
            time.sleep((error.retry_after or 1.0) * attempt * (1 + random.random()))
        raise AssertionError("the last attempt returns or raises")

    def _once(self, target: str, body: Optional[Mapping[str, Any]], headers: Mapping[str, str]) -> Tuple[int, Any]:
        sent = {**({} if target == "/health" else self._headers()), "Connection": "close", **headers}
        payload = None
        if body is not None:
            payload = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        connection = self._connect()
        try:
            connection.request("GET" if body is None else "POST", target, payload, sent)
            response = connection.getresponse()
            return response.status, _parsed(response.read())
        except (OSError, http.client.HTTPException) as error:
            self._unreachable(error)
        finally:
            connection.close()


def _named(apps: List[AppSummary], wanted: str) -> List[AppSummary]:
    """Those that a name may mean, of the strictest kind that matches at all."""

    def plain(name: str) -> str:
        return re.sub(r"[\s._/@:-]+", "", name.lower())

    def runs(name: str) -> List[str]:
        words = [plain(word) for word in re.split(r"[\s._/@:-]+", name)]
        return ["".join(words[at:end]) for at in range(len(words)) for end in range(at + 1, len(words) + 1)]

    def ids(one: AppSummary) -> List[str]:
        return [one["app_id"], *one.get("aliases", [])]

    meant = plain(wanted)
    digits = re.search(r"-[0-9a-f]{16}$", wanted)
    names = [(one, runs(one["app_name"]) + runs(one["app_id"])) for one in apps]
    return (
        [one for one in apps if one["app_id"] == wanted]
        or [one for one in apps if digits and any(known.endswith(digits.group()) for known in ids(one))]
        or [one for one in apps if plain(one["app_name"]) == meant]
        or [one for one, found in names if meant and meant in found]
        or [one for one, found in names if meant and any(run.startswith(meant) for run in found)]
    )


def _keys_query(keys: Sequence[str]) -> Dict[str, str]:
    if isinstance(keys, str):
        raise TypeError("keys is a list of globs, not one text")
    return {"keys": ",".join(keys)} if keys else {}


def _parsed(text: bytes) -> Any:
    """None: it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _error_of(status: int, answer: Any, url: str) -> SubstrateError:
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        return SubstrateError("unreachable", f"{url} is no substrate: it answered {status}.")
    retry_after_ms = error.get("retry_after_ms")
    executed = answer.get("executed")
    return SubstrateError(
        error["code"],
        str(error.get("message", "")),
        status=status,
        request_id=error.get("request_id"),
        retry_after=None if retry_after_ms is None else retry_after_ms / 1000,
        executed=executed if isinstance(executed, bool) else None,
    )


# ---- who is at the other end of a connection -------------------------------------------------------------------------
# While the daemon is down any user of the machine can listen at its address, and would be sent the key. So, on
# loopback, this speaks only to a process of the same user or of root. The connection is made first and its other end
# looked up then, in the kernel's table: nobody can step in between. Only Linux says who it is.


def _check_peer(sock: socket.socket) -> None:
    remote_address, remote_port = sock.getpeername()[:2]
    local_address, local_port = sock.getsockname()[:2]
    if not sys.platform.startswith("linux") or not _is_loopback(remote_address):
        return
    deadline = time.monotonic() + _ACCEPT_SECONDS
    pause = 0.001
    place = f"[{remote_address}]:{remote_port}" if ":" in remote_address else f"{remote_address}:{remote_port}"
    advice = f"no key is sent there. Root can see which process it is: ss -tlnp 'sport = :{remote_port}'"
    while True:
        owner = _owner_of((remote_address, remote_port), (local_address, local_port))
        if owner == 0 or (owner is not None and owner == os.geteuid()):
            return
        if owner is not None:
            message = f"A process of another user (uid {owner}) listens at {place}: {advice}"
            raise SubstrateError("foreign_listener", message)
        if _has_hung_up(sock):
            raise ConnectionResetError("the other end has hung up")
        if time.monotonic() > deadline:
            message = f"The process that listens at {place} accepts no connection, so its user is unknown: {advice}"
            raise SubstrateError("foreign_listener", message)
        time.sleep(pause)
        pause = min(pause * 2, 0.05)


def _is_loopback(address: str) -> bool:
    return address == "::1" or re.match(r"(?:::ffff:)?127\.", address) is not None


def _owner_of(remote: Tuple[str, int], local: Tuple[str, int]) -> Optional[int]:
    """The user whose process has accepted the connection. None: nobody has yet.

    Until then the row has no inode, and a number that means nothing: 0, which is root's.
    """
    for name in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(name, encoding="latin-1") as table:
                owner = _owner_in(table.read(), remote, local)
        except OSError:
            continue  # where there is no IPv6 there is no table of it
        if owner is not None:
            return owner
    return None


def _owner_in(table: str, remote: Tuple[str, int], local: Tuple[str, int]) -> Optional[int]:
    theirs, ours = _as_hex(*remote), _as_hex(*local)
    for line in table.split("\n"):
        # sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode ...
        columns = line.split()
        if len(columns) < 10 or columns[1] not in theirs or columns[2] not in ours:
            continue
        if columns[7].isdigit() and re.fullmatch(r"[1-9]\d*", columns[9]):
            return int(columns[7])
    return None


def _as_hex(address: str, port: int) -> Tuple[str, ...]:
    """As the kernel prints it: words in the byte order of the machine. A socket of IPv6 may have an address of IPv4."""
    if address == "::1":
        long = b"\0" * 15 + b"\1"
    else:
        long = b"\0" * 10 + b"\xff\xff" + socket.inet_aton(address.replace("::ffff:", ""))
    words = struct.unpack("<4I" if sys.byteorder == "little" else ">4I", long)
    text = "".join(f"{word:08X}" for word in words)
    suffix = f":{port:04X}"
    return (text + suffix,) if address == "::1" else (text + suffix, text[24:] + suffix)


def _has_hung_up(sock: socket.socket) -> bool:
    timeout = sock.gettimeout()
    sock.settimeout(0)  # with a timeout of its own it would wait, whatever the flags say
    try:
        return sock.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        sock.settimeout(timeout)


# ---- as much of a WebSocket as a watch needs: text comes in, and nothing goes out but answers to pings -------------


class _WebSocket:
    def __init__(self, substrate: Substrate, path: str, query: Mapping[str, str]) -> None:
        self.close_code: Optional[int] = None
        self._url = substrate.url
        connection = substrate._connect()
        self._socket: socket.socket = connection.sock
        self._reader: io.BufferedReader = self._socket.makefile("rb")
        try:
            target = f"{path}?{urllib.parse.urlencode(query)}" if query else path
            self._upgrade(f"{substrate._host}:{substrate._port}", target, substrate._headers())
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._close()
            substrate._unreachable(error)
        except SubstrateError:
            self._close()
            raise

    def __enter__(self) -> _WebSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        self._reader.close()
        self._socket.close()

    def _upgrade(self, host: str, target: str, headers: Mapping[str, str]) -> None:
        nonce = base64.b64encode(os.urandom(16)).decode()
        lines = {
            "Host": host, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": nonce, **headers,
        }
        if any("\r" in value or "\n" in value for value in lines.values()):
            raise ValueError("a header has a line break")
        request = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._socket.sendall(f"GET {target} HTTP/1.1\r\n{request}\r\n".encode("latin-1"))
        words = self._reader.readline(65536).split()
        if len(words) < 2 or not words[1].isdigit():
            raise ValueError("the answer is not that of a WebSocket")
        status = int(words[1])
        answered = http.client.parse_headers(self._reader)
        if status != 101:
            length = int(answered.get("Content-Length", "0"))
            raise _error_of(status, _parsed(self._reader.read(min(length, _MAX_FRAME))), self._url)
        digest = hashlib.sha1(f"{nonce}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
        if answered.get("Sec-WebSocket-Accept") != base64.b64encode(digest).decode():
            raise ValueError("the answer is not that of a WebSocket")

    def messages(self, deadline: Optional[float]) -> Iterator[bytes]:
        """Until the connection ends, with or without a `close_code`. Raises TimeoutError at the deadline."""
        parts: List[bytes] = []
        while True:
            try:
                if deadline is not None:
                    # Not 0, which would mean not to wait at all, and so another error.
                    self._socket.settimeout(max(0.001, deadline - time.monotonic()))
                else:
                    self._socket.settimeout(None)
                is_final, opcode, payload = self._frame()
            except socket.timeout as error:
                raise TimeoutError from error
            except (OSError, EOFError):
                return
            if opcode == 8:
                self.close_code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else None
                return
            if opcode == 9:
                self._send(10, payload)
            if opcode in (0, 1):
                parts.append(payload)
                if is_final:
                    yield b"".join(parts)
                    parts = []

    def _frame(self) -> Tuple[bool, int, bytes]:
        first, second = self._read(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack(">H", self._read(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self._read(8))[0]
        if second & 0x80 or length > _MAX_FRAME:
            raise EOFError  # no daemon sends this
        return bool(first & 0x80), first & 0x0F, self._read(length)

    def _read(self, count: int) -> bytes:
        found = self._reader.read(count)
        if len(found) < count:
            raise EOFError
        return found

    def _send(self, opcode: int, payload: bytes) -> None:
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload[:125]))
        try:
            self._socket.sendall(bytes([0x80 | opcode, 0x80 | len(masked)]) + mask + masked)
        except OSError:
            pass  # the next read says that the connection has ended
