import fs from 'node:fs';
import { afterAll, it } from 'vitest';
import type { ProbeDriver } from '../../src/probes/probe.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

export function graphContract(name: string, driver: Pick<ProbeDriver, 'attach'>, start: () => Promise<Target>) {
  it(`dump ${name}`, async () => {
    const app = await ProbedApp.attach(driver, (await start()).info);
    await app.read('deep');
    const capture = app.capture;
    const raw = new LeafReader().apply(capture!.leaves).state();
    await app.read();
    await app.read();
    fs.writeFileSync(`.cache/graph-${name}.json`, JSON.stringify({ raw, state: app.state, actions: [...app.actions].map(([n, a]) => [n, a.schema]) }, null, 1));
    await app.probe.detach();
  });
  afterAll(endAll);
}
