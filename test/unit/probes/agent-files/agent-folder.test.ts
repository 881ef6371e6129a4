import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createHost } from '../../../../src/host/host.ts';
import { AgentFolder, type FolderKind } from '../../../../src/probes/support/agent-files/agent-folder.ts';
import { openOwn } from '../../../../src/probes/support/agent-files/held-folder.ts';
import { processInfo } from '../../../support/targets.ts';

const KIND: FolderKind = { prefix: 'substrate-test-', program: 'test', channel: new Set() };

it('a folder that was made in vain does not stay; one that somebody uses does', async () => {
  const info = await processInfo(process.pid);
  const details = createHost().inspector.details(info);
  if (!details) throw new Error('this process is not seen');
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-folder-'));
  const open = () => AgentFolder.open(KIND, info, details, openOwn(parent));
  try {
    open().close();
    expect(fs.readdirSync(parent)).toEqual([]);
    const used = await AgentFolder.claim(open);
    const refused = await AgentFolder.claim(open).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: expect.stringMatching(/Another substrate/) });
    expect(fs.readdirSync(used.at('.'))).toHaveLength(1);
    used.close();
    expect(fs.readdirSync(parent)).toEqual([]);
    // An ending agent removes its folder, even one that was just opened again.
    let opened = 0;
    const claimed = await AgentFolder.claim(() => {
      const folder = open();
      if (++opened === 1) fs.rmdirSync(folder.path);
      return folder;
    });
    expect(opened).toBe(2);
    expect(fs.readdirSync(claimed.path)).toHaveLength(1);
    claimed.close();
  } finally {
    fs.rmSync(parent, { recursive: true, force: true });
  }
});
