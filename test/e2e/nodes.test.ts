/** The newer versions of Node, as the daemon's runtime and as targets. `npm run test:nodes` tests the rest. */
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { ActionResponse, WatchMessage } from '../../src/model/wire.ts';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { endAll } from '../support/real-processes.ts';
import { runtime } from '../support/runtimes.ts';
import { startTarget } from '../support/targets.ts';

describe.each(['node22', 'node24', 'node26'] as const)('on %s', (version) => {
  afterEach(async () => {
    await stopAll();
    await endAll();
  });

  it('shows the state of a program, acts with proof, and tells watchers', async () => {
    const node = runtime(version);
    const target = await startTarget('shop.cjs', { node });
    const daemon = await RunningDaemon.start(makeHome(), { node, env: { SUBSTRATE_PROBE__INTERVAL_MS: '100' } });
    const state = await daemon.state(target.pid);
    expect(state).toMatchObject({ runtime: 'v8', objects: { 'cart.items.length': 1 } });

    const watch = daemon.watch(target.pid);
    await once(watch, 'open');
    const told = new Promise<WatchMessage>((resolve) => {
      watch.on('message', (data) => {
        const message = JSON.parse(String(data)) as WatchMessage;
        if (message.changed_keys.includes('cart.items.length')) resolve(message);
      });
    });
    const { body } = await daemon.post<ActionResponse>('/substrate/v1/action', {
      pid: target.pid,
      action: 'cart.addItem',
      parameters: { name: 'tea', price: 2.5 },
      verify_expression: 'cart.items.length === 2',
    });
    expect(body).toMatchObject({ success: true, verification: { passed: true } });
    expect(await told).toMatchObject({ pid: target.pid, app_id: state.app_id });
    watch.close();
  });
});
