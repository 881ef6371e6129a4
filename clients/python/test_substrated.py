"""The client for Python, against a real daemon (SUBSTRATE_URL, SUBSTRATE_KEY) and a real coffee shop (NODE, SHOP).

Where the daemon never does what is tested, as with pings and lost connections, a small server stands in for it.
"""

import base64
import hashlib
import json
import os
import socket
import struct
import subprocess
import threading
import time
import unittest
from typing import Any, Callable, List, Sequence

import substrated
from substrated import Substrate, SubstrateError


def start_shop() -> "subprocess.Popen[bytes]":
    shop = subprocess.Popen([os.environ["NODE"], os.environ["SHOP"]], stdout=subprocess.PIPE)
    assert shop.stdout is not None
    shop.stdout.readline()
    return shop


class WithDaemon(unittest.TestCase):
    shop: "subprocess.Popen[bytes]"
    substrate: Substrate
    pid: int

    @classmethod
    def setUpClass(cls) -> None:
        cls.shop = start_shop()
        cls.substrate = Substrate()
        cls.pid = cls.substrate.ready(cls.shop.pid)["pid"]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.shop.kill()
        cls.shop.wait()
        if cls.shop.stdout:
            cls.shop.stdout.close()

    def fields(self, answer: Any, kind: Any) -> None:
        """The answer has the fields of the type: all that are required, and none that it does not know."""
        self.assertLessEqual(kind.__required_keys__, set(answer))
        self.assertLessEqual(set(answer), set(kind.__annotations__) | kind.__required_keys__)

    def code(self, work: Callable[[], Any]) -> SubstrateError:
        with self.assertRaises(SubstrateError) as caught:
            work()
        return caught.exception

    def test_apps_are_named_by_pid_id_and_name(self) -> None:
        self.fields(self.substrate.health(), substrated.Health)
        app = self.substrate.app(self.pid)
        self.fields(app, substrated.AppSummary)
        for name in (app["app_id"], "coffee-shop", "Coffee"):
            self.assertEqual(self.substrate.app(name)["pid"], self.pid)
        missing = self.code(lambda: self.substrate.app("tea-house"))
        self.assertEqual(missing.code, "not_found")
        self.assertIn(app["app_id"], missing.message)
        self.assertEqual(self.code(lambda: self.substrate.ready("tea-house", timeout=0.3)).code, "not_found")

    def test_state_schema_and_diff(self) -> None:
        state = self.substrate.state("coffee-shop", keys=["shop.name", "shop.special"], fresh=True)
        self.fields(state, substrated.State)
        self.fields(state["context"], substrated.Context)
        self.fields(state["probe_metadata"], substrated.ProbeMetadata)
        self.assertEqual(set(state["objects"]), {"shop.name", "shop.special"})
        self.assertGreater(len(self.substrate.state(self.pid, all=True)["objects"]), 2)
        schema = self.substrate.schema(self.pid)
        self.fields(schema, substrated.Schema)
        action = schema["actions"]["shop.placeOrder"]
        self.fields(action, substrated.ActionSchema)
        self.fields(action["parameters"][0], substrated.ActionParameter)
        self.substrate.action(self.pid, "shop.setSpecial", {"drink": "espresso"}, verify='shop.special === "espresso"')
        diff = self.substrate.diff(self.pid, state["capture_id"])
        self.fields(diff, substrated.Diff)
        changed = {entry["path"]: entry["after"] for entry in diff["changed"]}
        self.assertEqual(changed["shop.special"], "espresso")
        self.assertEqual(self.code(lambda: self.substrate.state(self.pid, keys=["a"] * 51)).code, "invalid_request")
        with self.assertRaises(TypeError):
            self.substrate.state(self.pid, keys="shop.name")

    def test_actions_are_proven(self) -> None:
        order = {"customer": "Hedy", "drink": "tea"}
        proof = 'shop.queue.some(o => o.customer === "Hedy")'
        for _ in range(2):
            result = self.substrate.action(self.pid, "shop.placeOrder", order, verify=proof, idempotency_key="order-1")
        self.fields(result, substrated.ActionResult)
        assert result["verification"] is not None
        self.fields(result["verification"], substrated.Verification)
        ordered = self.substrate.verify(self.pid, 'shop.queue.filter(o => o.customer === "Hedy").length')
        self.assertEqual(ordered["computed_value"], 1)

    def test_what_goes_wrong_has_a_code(self) -> None:
        act = self.substrate.action
        unknown = self.code(lambda: act(self.pid, "shop.burn"))
        self.assertEqual((unknown.code, unknown.status, unknown.executed), ("unknown_action", 400, False))
        self.assertTrue(unknown.request_id)
        mud = {"customer": "Ada", "drink": "mud"}
        failed = self.code(lambda: act(self.pid, "shop.placeOrder", mud, verify="shop.open"))
        self.assertEqual(failed.code, "action_failed")
        self.assertIn("we have no mud", failed.message)
        tea = {"drink": "tea"}
        wrong_proof = "shop.special === 7"
        refuted = self.code(lambda: act(self.pid, "shop.setSpecial", tea, verify=wrong_proof, verify_timeout=0.2))
        self.assertEqual(refuted.code, "verification_failed")
        self.assertIn('shop.special is "tea"', refuted.message)
        assert refuted.result is not None
        self.assertIs(self.substrate.try_action(self.pid, "shop.placeOrder", mud, verify="shop.open")["success"], False)
        stale = self.substrate.state(self.pid)["capture_id"]
        act(self.pid, "shop.placeOrder", {"customer": "Ada", "drink": "tea"}, verify="shop.queue.length > 0")
        again = self.code(lambda: act(self.pid, "shop.serveNext", verify="shop.served > 0", if_match=stale))
        self.assertEqual((again.status, again.executed), (412, False))
        wrong = Substrate(key="sk_substrate_" + "x" * 43)
        self.assertEqual(self.code(wrong.apps).code, "invalid_key")

    def test_verify_and_wait(self) -> None:
        result = self.substrate.verify(self.pid, 'shop.name === "x"', timeout=0.1)
        self.fields(result, substrated.VerifyResult)
        self.assertIn('shop.name is "The Daily Grind"', result["explanation"])
        self.assertTrue(self.substrate.wait(self.pid, "shop.queue.length + shop.served > 1")["passed"])
        late = self.code(lambda: self.substrate.wait(self.pid, "shop.queue.length === 99", timeout=0.3))
        self.assertEqual(late.code, "verification_failed")
        self.assertIn("expected === 99", late.message)

    def test_learn(self) -> None:
        state = self.substrate.state(self.pid)
        correction: substrated.Correction = {
            "observed_key": "shop.open", "correct_label": "shop.isOpen", "correct_type": "boolean",
        }
        learnt = self.substrate.learn(self.pid, state, [correction])
        self.fields(learnt, substrated.LearnResult)
        self.assertEqual(learnt["accepted"], 1)
        self.assertIn("shop.isOpen", self.substrate.state(self.pid, keys=["shop.*"], fresh=True)["objects"])
        undone: substrated.Correction = {
            "observed_key": "shop.isOpen", "correct_label": "shop.open", "correct_type": "boolean",
        }
        self.substrate.learn(self.pid, self.substrate.state(self.pid), [undone])

    def test_watch(self) -> None:
        kinds: List[str] = []
        for event in self.substrate.watch(self.pid, keys=["shop.special"]):
            kinds.append(event["kind"])
            if event["kind"] == "state":
                self.assertEqual(set(event["state"]["objects"]), {"shop.special"})
                drink = "tea" if event["state"]["objects"]["shop.special"] != "tea" else "cappuccino"
                proof = f'shop.special === "{drink}"'
                threading.Thread(
                    target=self.substrate.action, args=(self.pid, "shop.setSpecial", {"drink": drink}),
                    kwargs={"verify": proof},
                ).start()
            else:
                self.fields(event, substrated.ChangeEvent)
                self.assertEqual(event["changed_keys"], ["shop.special"])
                break
        self.assertEqual(kinds, ["state", "change"])
        self.assertEqual(list(self.substrate.watch(self.pid, keys=["shop.name"], states=False, timeout=0.3)), [])
        self.assertEqual(self.code(lambda: next(iter(self.substrate.watch(2147483647)))).code, "not_found")

    def test_watch_ends_with_the_app(self) -> None:
        shop = start_shop()
        assert shop.stdout is not None
        try:
            self.substrate.ready(shop.pid)
            for event in self.substrate.watch(shop.pid):
                shop.kill()
        finally:
            shop.kill()
            shop.wait()
            shop.stdout.close()
        self.assertIn(event["kind"], ("state", "change"))


class WithStandIn(unittest.TestCase):
    def serve(self, *connections: Callable[[socket.socket], None]) -> str:
        """A server on a free port that treats each connection as the next of these functions says."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def run() -> None:
            for treat in connections:
                peer, _ = listener.accept()
                with peer:
                    treat(peer)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        self.addCleanup(thread.join, 10)
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def test_nobody_answers(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        with self.assertRaises(SubstrateError) as caught:
            Substrate(f"http://127.0.0.1:{port}").apps()
        self.assertEqual(caught.exception.code, "unreachable")
        with self.assertRaises(ValueError):
            Substrate("127.0.0.1:7842")

    def test_something_else_answers(self) -> None:
        page = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        redirect = b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"
        for text in (page, redirect, b"hi\r\n"):
            url = self.serve(answering(text))
            with self.assertRaises(SubstrateError) as caught:
                Substrate(url, key="sk_1").apps()
            self.assertEqual(caught.exception.code, "unreachable")

    def test_too_many_requests_are_made_again(self) -> None:
        error = {"error": {"code": "rate_limited", "message": "slow down", "request_id": "x", "retry_after_ms": 1}}
        refused = json.dumps(error).encode()
        head = b"HTTP/1.1 429 No\r\nContent-Length: %d\r\n\r\n" % len(refused)
        good = b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"apps":[]}'
        url = self.serve(answering(head + refused), answering(head + refused), answering(good))
        self.assertEqual(Substrate(url).apps(), [])

    def test_watch_takes_every_kind_of_frame_and_connects_again(self) -> None:
        pongs: List[bytes] = []
        long = [f"key[{index}]" for index in range(9000)]

        def first(peer: socket.socket) -> None:
            upgrade(peer)
            one = message(1)
            peer.sendall(frame(0x01, one[:5]) + frame(0x89, b"ping") + frame(0x80, one[5:]))
            pongs.append(peer.recv(100))
            peer.sendall(frame(0x81, message(2, long[:50])) + frame(0x81, message(3, long)))

        def second(peer: socket.socket) -> None:
            upgrade(peer)
            peer.sendall(frame(0x81, message(1)) + frame(0x88, struct.pack(">H", 1000)))

        url = self.serve(first, second)
        events = list(Substrate(url).watch(7, states=False))
        changes = [event for event in events if event["kind"] == "change"]
        self.assertEqual([event["sequence"] for event in changes], [1, 2, 3, 1])
        self.assertEqual(changes[2]["changed_keys"], long)
        head, mask, masked = pongs[0][:2], pongs[0][2:6], pongs[0][6:]
        self.assertEqual(head, b"\x8a\x84")
        self.assertEqual(bytes(byte ^ mask[index % 4] for index, byte in enumerate(masked)), b"ping")


def answering(text: bytes) -> Callable[[socket.socket], None]:
    def treat(peer: socket.socket) -> None:
        peer.recv(65536)
        peer.sendall(text)

    return treat


def upgrade(peer: socket.socket) -> None:
    request = peer.recv(65536).decode()
    nonce = next(line.split(": ")[1] for line in request.split("\r\n") if line.startswith("Sec-WebSocket-Key"))
    accept = base64.b64encode(hashlib.sha1((nonce + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
    peer.sendall(f"HTTP/1.1 101 Switching\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())


def frame(first: int, payload: bytes) -> bytes:
    if len(payload) < 126:
        return bytes([first, len(payload)]) + payload
    if len(payload) < 65536:
        return bytes([first, 126]) + struct.pack(">H", len(payload)) + payload
    return bytes([first, 127]) + struct.pack(">Q", len(payload)) + payload


def message(sequence: int, keys: Sequence[str] = ("a",)) -> bytes:
    return json.dumps({"pid": 7, "sequence": sequence, "changed_keys": list(keys)}).encode()


class WhoHasAccepted(unittest.TestCase):
    """Rows as the kernel of a little-endian machine prints them."""

    remote, local = ("127.0.0.1", 7842), ("127.0.0.1", 0xC001)
    server, client = "0100007F:1EA2", "0100007F:C001"

    @staticmethod
    def row(local: str, remote: str, uid: int, inode: int) -> str:
        return f" 1: {local} {remote} 01 00000000:00000000 00:00000000 00000000 {uid:5} 0 {inode} 1 0 20 4 30 10 -1\n"

    def test_is_told_by_the_row_of_its_end(self) -> None:
        owner = substrated._owner_in
        others = self.row(self.client, self.server, 1, 5) + self.row(self.server, "0100007F:C002", 2, 6)
        self.assertIsNone(owner(others, self.remote, self.local))
        self.assertEqual(owner(others + self.row(self.server, self.client, 1000, 8), self.remote, self.local), 1000)
        self.assertIsNone(owner(self.row(self.server, self.client, 0, 0), self.remote, self.local))

    def test_may_be_a_socket_of_ipv6(self) -> None:
        mapped = "0000000000000000FFFF0000"
        row = self.row(mapped + self.server, mapped + self.client, 7, 8)
        self.assertEqual(substrated._owner_in(row, self.remote, self.local), 7)
        six = "00000000000000000000000001000000"
        row = self.row(f"{six}:1EA2", f"{six}:C001", 7, 8)
        self.assertEqual(substrated._owner_in(row, ("::1", 7842), ("::1", 0xC001)), 7)
        self.assertIsNone(substrated._owner_in(row, self.remote, self.local))

    def test_a_listener_that_takes_no_connection_gets_no_key(self) -> None:
        listener = socket.create_server(("127.0.0.1", 0), backlog=1)
        self.addCleanup(listener.close)
        started = time.monotonic()
        self.addCleanup(setattr, substrated, "_ACCEPT_SECONDS", substrated._ACCEPT_SECONDS)
        substrated._ACCEPT_SECONDS = 0.3
        with self.assertRaises(SubstrateError) as caught:
            Substrate(f"http://127.0.0.1:{listener.getsockname()[1]}", key="sk_1").apps()
        self.assertEqual(caught.exception.code, "foreign_listener")
        self.assertGreaterEqual(time.monotonic() - started, 0.3)
        listener.setblocking(False)
        peer, _ = listener.accept()
        with peer:
            self.assertEqual(peer.recv(100), b"")
