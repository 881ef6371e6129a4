"""An agent that keeps a coffee shop busy: it reads the state, acts with proof, and follows what changes.

The daemon runs (`npx substrated up`), SUBSTRATE_KEY is set, and substrated.py is beside this file or on PYTHONPATH.
"""

import sys

from substrated import Substrate, SubstrateError

substrate = Substrate()
app = substrate.ready(int(sys.argv[1]) if len(sys.argv) > 1 else "coffee-shop")
pid = app["pid"]
print(f"{app['app_name']} runs on {app['runtime_name']} and has {', '.join(substrate.schema(pid)['actions'])}")

before = substrate.state(pid, keys=["shop.queue[*].customer", "shop.special"], fresh=True)
print(f"special: {before['objects']['shop.special']}")

result = substrate.action(
    pid,
    "shop.placeOrder",
    {"customer": "Hedy", "drink": "tea"},
    verify='shop.queue.some(order => order.customer === "Hedy")',
)
assert result["verification"] is not None
print(f"ordered: {result['verification']['explanation']}")
for entry in substrate.diff(pid, before["capture_id"])["added"]:
    if "Hedy" in str(entry["value"]):
        print(f"new: {entry['path']} = {entry['value']}")

try:
    substrate.action(pid, "shop.setSpecial", {"drink": "milk"}, verify='shop.special === "tea"', verify_timeout=0.5)
except SubstrateError as error:
    print(f"refuted: {error}")

for event in substrate.watch(pid, keys=["shop.queue.**"], timeout=30):
    if event["kind"] == "change":
        print(f"changed by itself: {event['changed_keys'][0]}")
        break
