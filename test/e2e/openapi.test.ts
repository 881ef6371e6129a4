/** Uses of /openapi.json by others: types from their generator, which match the daemon's real answers. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { endAll } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const GENERATOR = path.join(ROOT, 'test/generator/node_modules/openapi-typescript/bin/cli.js');
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const CHECKS = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022'];

/** A program's use of the types; lines that must not compile are marked. */
const USES = `
import type { components, operations, paths } from './api.ts';

type Answer<Name extends keyof operations> =
  operations[Name]['responses'] extends { 200: { content: { 'application/json': infer Body } } } ? Body : never;
type Schemas = components['schemas'];

export const request: Schemas['ActionRequest'] = { pid: 1, action: 'cart.clear', parameters: {} };
// @ts-expect-error an action needs a name
export const nameless: Schemas['ActionRequest'] = { pid: 1, parameters: {} };
// @ts-expect-error there is no such field
export const unknownField: Schemas['VerifyRequest'] = { pid: 1, expression: 'true', timeout: 5 };
export const since: operations['diffState']['parameters']['query'] = { since: 'x' };
export const pid: operations['readState']['parameters']['path']['pid'] = 1;
export const code: Schemas['ErrorBody']['error']['code'] = 'rate_limited';
// @ts-expect-error there is no such code
export const noCode: Schemas['ErrorBody']['error']['code'] = 'rate_limit';
export type Page = paths['/']['get']['responses'][200]['content']['text/html'];
`;

describe('a client that is generated from the OpenAPI document', () => {
  let daemon: RunningDaemon;
  let target: Target;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-openapi-'));

  beforeAll(async () => {
    target = await startTarget('shop.cjs');
    daemon = await RunningDaemon.start(makeHome(), { env: { SUBSTRATE_PROBE__INTERVAL_MS: '100' } });
    await daemon.state(target.pid);
  });
  afterAll(async () => {
    await stopAll();
    await endAll();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function run(program: string, ...args: string[]): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, output: `${stdout}${stderr}` };
  }
  async function answer(route: string, body?: object): Promise<string> {
    const headers = { 'X-Substrate-Key': daemon.key, 'Content-Type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${daemon.base}${route}`, { headers, ...init })).text();
  }

  it('compiles, and its types are those of real answers', async () => {
    const { pid } = target;
    const v1 = '/substrate/v1';
    fs.writeFileSync(path.join(folder, 'openapi.json'), await answer('/openapi.json'));
    const { capture_id, app_id } = JSON.parse(await answer(`${v1}/state/${pid}`));
    const action = {
      pid,
      action: 'cart.addItem',
      parameters: { name: 'pear', price: 3 },
      verify_expression: 'cart.items.length >= 0',
    };
    const answers: [name: string, text: string][] = [
      ['getHealth', await answer('/health')],
      ['listApps', await answer(`${v1}/apps`)],
      ['readState', await answer(`${v1}/state/${pid}`)],
      ['readSchema', await answer(`${v1}/schema/${pid}`)],
      ['executeAction', await answer(`${v1}/action`, action)],
      ['diffState', await answer(`${v1}/diff/${pid}?since=${capture_id}`)],
      ['verifyExpression', await answer(`${v1}/verify`, { pid, expression: 'cart.items.length > 1' })],
      ['exportSchema', await answer(`${v1}/schema/export?all=true&app_id=${app_id}`)],
      ['callMcp', await answer('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })],
    ];
    const refused = await answer(`${v1}/state/1`);
    // It would attach to the programs that follow.
    await stopAll();

    // By default it treats fields with a default as required, in requests too.
    const generated = run(GENERATOR, 'openapi.json', '--output', 'api.ts', '--default-non-nullable=false');
    expect(generated).toMatchObject({ status: 0 });

    // Written out, so that a missing, different or undescribed field does not compile.
    const lines = answers.map(([name, text]) => `export const ${name}: Answer<'${name}'> = ${text};`);
    lines.push(`export const refused: Schemas['ErrorBody'] = ${refused};`);
    fs.writeFileSync(path.join(folder, 'program.ts'), [USES, ...lines].join('\n'));
    const options = [...CHECKS, '--noEmit', '--allowImportingTsExtensions', '--types', ''];
    expect(run(COMPILER, ...options, 'program.ts')).toEqual({ status: 0, output: '' });
  });
});
