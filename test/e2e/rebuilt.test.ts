/** A Node.js program that is rebuilt between two runs: its variables have other names, its file has not. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SubstrateState } from '../../src/model/wire.ts';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget } from '../support/targets.ts';

const TARGETS = path.resolve(import.meta.dirname, '../targets');
/** Like a minifier: on one long line. */
const build = (till: string, guest: string) => {
  const helpers = Array.from({ length: 40 }, (_, at) => `function f${at}(a){return a+${at}}`).join(';');
  return `${helpers};let ${guest}={table:"window",visits:5,q:1},${till}={total:12,currency:"EUR",q:3,lines:[{article:"tea",cents:4}]};setInterval(()=>{${till}.total;${guest}.visits},6e4);console.log("ready");`;
};

describe('a program that was built again', () => {
  let daemon: RunningDaemon;
  let file: string;

  beforeAll(async () => {
    const home = makeHome();
    file = path.join(home, 'till.cjs');
    daemon = await RunningDaemon.start(home);
  });
  afterAll(async () => {
    await endAll();
    await stopAll();
  });

  async function start(text: string) {
    fs.writeFileSync(file, text);
    const { pid } = await startTarget(path.relative(TARGETS, file));
    await daemon.state(pid);
    const all = async () => (await daemon.get<SubstrateState>(`/substrate/v1/state/${pid}?all=true`)).body;
    return { pid, all };
  }

  it('keeps what a person said of it', async () => {
    const { pid, all } = await start(build('t', 'e'));
    const state = await all();
    const observed_key = Object.keys(state.objects).find(
      (key) => key.startsWith('unknown_0x') && state.objects[key] === 3,
    );
    const { body } = await daemon.post(`/substrate/v1/learn/${pid}`, {
      capture_id: state.capture_id,
      schema_version: state.schema_version,
      corrections: [{ observed_key, correct_label: 'till.pieces', correct_type: 'number' }],
    });
    expect(body).toMatchObject({ accepted: 1 });
    await until('the name', async () => (await all()).objects['till.pieces'] === 3);
    await endAll();
    const again = await start(build('e', 'r'));
    expect(again.pid).not.toBe(pid);
    const { objects, app_id, schema_version } = await again.all();
    expect(objects).toMatchObject({ 'till.pieces': 3, currency: 'EUR', table: 'window' });
    expect([app_id, schema_version]).toEqual([state.app_id, '1.0.2']);
  });
});
