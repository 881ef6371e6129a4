/** docs/getting-started.md, as a newcomer types it: every shell block of it, one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, CHROMIUM_FLAGS, freePort } from '../support/chromium.ts';
import { makeHome } from '../support/daemon.ts';
import { pidOf } from '../support/real-processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

function shellBlocks(): string[] {
  const text = fs.readFileSync(path.join(ROOT, 'docs/getting-started.md'), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

describe('the first steps', () => {
  it('are as the page says, from a clone to actions with proof', async () => {
    const home = makeHome();
    const bin = path.join(home, 'bin');
    fs.mkdirSync(bin);
    const browser = path.join(bin, 'chromium');
    // A newcomer has a screen, and is not root.
    const flags = CHROMIUM_FLAGS.join(' ');
    fs.writeFileSync(
      browser,
      `#!/bin/sh
exec ${CHROMIUM} ${flags} "$@"
`,
      { mode: 0o755 },
    );
    const script = `
      set -e
      trap 'substrate down' EXIT
      node dist/substrate.js up >/dev/null
      ${shellBlocks().join('\n')}`;
    const child = spawn('bash', ['-c', script], {
      cwd: ROOT,
      env: {
        PATH: `${bin}:${path.dirname(process.execPath)}:${process.env.PATH}`,
        HOME: home,
        SUBSTRATE_SERVER__PORT: String(await freePort()),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // So that its remaining processes can be ended together.
      detached: true,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [code] = await once(child, 'exit');
    process.kill(-pidOf(child), 'SIGKILL');
    await once(child, 'close');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('text  "water the plants"');
    expect(stdout).toContain('tasks.length: 1 → 2');
    expect(stdout).toContain('house.orders.length: 1 → 2');
    expect(stdout).toContain('there is no coffee');
    expect(stdout).toContain('ended with 6');
    expect(stdout).toContain('has ended');
    expect(stdout.match(/verified: /g)).toHaveLength(2);
  });
});
