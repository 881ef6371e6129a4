/** A growing app: the cost of a capture and a read for the app and the daemon. */
import { setTimeout as delay } from 'node:timers/promises';
import { rssMb, startProgram, waitFor } from '../shared/proc.ts';
import { Home, SpeedDaemon } from '../speed/daemon.ts';
import type { Side } from '../speed/sides.ts';
import { cpuOf } from './cpu.ts';
import { Curves } from './curves.ts';

/** Without limits, because the total cost is measured. */
const WITHOUT_LIMITS = {
  SUBSTRATE_PROBE__BUDGET_SEARCH_MS: '600000',
  SUBSTRATE_PROBE__BUDGET_SEARCH_PERCENT: '100',
  SUBSTRATE_PROBE__BUDGET_MEMORY_MB: '20000',
  SUBSTRATE_PROBE__MAX_KEYS: '1000000',
  SUBSTRATE_PROBE__INTERVAL_MS: '600000',
};
const TIMES = 20;

export async function measureLeaves(side: Side, sizes: readonly number[]): Promise<void> {
  const time = new Curves('One Node.js app', 'leaves', 'ms of CPU');
  const memory = new Curves('Memory', 'leaves', 'MB');
  for (const size of sizes) {
    const app = startProgram(process.execPath, ['bench/rows-target.cjs', String(size)]);
    await waitFor('the app', 30, () => app.stdout() !== '');
    const before = rssMb(app.pid);
    const home = new Home(side);
    const daemon = await SpeedDaemon.start(side, home, WITHOUT_LIMITS);
    await daemon.untilServed(app.pid);
    const leaves = Object.keys((await daemon.json<{ objects: object }>(`/state/${app.pid}?all=true`)).objects).length;
    const pids = { app: app.pid, daemon: daemon.pid };
    const fresh = () => daemon.tag(app.pid, 'fresh=true');
    let tag = '';
    // Until both are compiled.
    for (let time = 0; time < TIMES; time++) tag = await fresh();
    const same = await cpuOf(pids, TIMES, async () => {
      tag = await daemon.tag(app.pid, 'fresh=true', tag);
    });
    const changed = await cpuOf(pids, TIMES, async () => {
      app.child.stdin?.write('\n');
      tag = await daemon.tag(app.pid, 'fresh=true', tag);
    });
    await delay(1000);
    const whole = await cpuOf(pids, TIMES, () => daemon.text(`/state/${app.pid}`));
    time.add('capture, unchanged: app', leaves, same.app);
    time.add('capture, unchanged: daemon', leaves, same.daemon);
    time.add('capture, one change: app', leaves, changed.app);
    time.add('capture, one change: daemon', leaves, changed.daemon);
    time.add('cached read of all: daemon', leaves, whole.daemon);
    memory.add('daemon', leaves, daemon.rssMb());
    memory.add('added to the app', leaves, Math.max(0.1, rssMb(app.pid) - before));
    await daemon.stop();
    home.remove();
    await app.end();
  }
  time.show('leaves');
  memory.show('memory');
}
