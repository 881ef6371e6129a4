import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessRef } from '../../../../src/model/process.ts';
import { removeAgentFolder, sweepLeftFolders } from '../../../../src/probes/drivers/v8/node/left-folders.ts';

const LONG_AGO = new Date(Date.now() - 3_600_000);

describe('folders that an attach left', () => {
  let parent: string;
  beforeEach(() => {
    parent = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-left-'));
  });
  afterEach(() => fs.rmSync(parent, { recursive: true, force: true }));

  function make(name: string, file: string | null, at: Date | null = LONG_AGO): void {
    fs.mkdirSync(path.join(parent, name));
    if (file !== null) fs.writeFileSync(path.join(parent, name, file), '');
    if (at !== null) fs.utimesSync(path.join(parent, name), at, at);
  }

  it('are removed when they are old, with their socket and nothing else', () => {
    const inspect = { isAlive: ({ pid }: ProcessRef) => pid === 13 };
    make('substrate-agent-0123456789abcdef', 'agent.sock');
    make('substrate-agent-1123456789abcdef', null);
    make('substrate-agent-2123456789abcdef', 'agent.sock', null);
    make('substrate-agent-3123456789abcdef', 'something');
    make('substrate-agent-mine', 'agent.sock');
    make('substrate-signalled-12-345', null);
    make('substrate-signalled-13-345', null);
    make('substrate-signalled-12-346', 'something');
    make('substrate-signalled-mine', null);
    make('elsewhere', 'agent.sock');
    fs.symlinkSync(path.join(parent, 'elsewhere'), path.join(parent, 'substrate-agent-4123456789abcdef'));
    fs.lutimesSync(path.join(parent, 'substrate-agent-4123456789abcdef'), LONG_AGO, LONG_AGO);
    sweepLeftFolders(parent, inspect);
    expect(fs.readdirSync(parent).sort()).toEqual([
      'elsewhere',
      'substrate-agent-2123456789abcdef',
      'substrate-agent-3123456789abcdef',
      'substrate-agent-4123456789abcdef',
      'substrate-agent-mine',
      'substrate-signalled-12-346',
      'substrate-signalled-13-345',
      'substrate-signalled-mine',
    ]);
    expect(fs.readdirSync(path.join(parent, 'substrate-agent-3123456789abcdef'))).toEqual(['something']);
    expect(fs.readdirSync(path.join(parent, 'elsewhere'))).toEqual(['agent.sock']);
    sweepLeftFolders(path.join(parent, 'nowhere'), inspect);
  });

  it('are never followed or emptied when another one is in their place', () => {
    const victim = path.join(parent, 'victim');
    fs.mkdirSync(path.join(victim, 'sub'), { recursive: true });
    fs.writeFileSync(path.join(victim, 'agent.sock'), '');
    const link = path.join(parent, 'link');
    fs.symlinkSync(victim, link);
    const uid = fs.statSync(victim).uid;
    removeAgentFolder(link, uid);
    removeAgentFolder(victim, uid + 1);
    expect(fs.readdirSync(victim).sort()).toEqual(['agent.sock', 'sub']);
    // Files that an agent never makes stay, and are no reason to fail.
    removeAgentFolder(victim, uid);
    expect(fs.readdirSync(victim)).toEqual(['sub']);
    fs.mkdirSync(path.join(victim, 'agent.sock'), { mode: 0 });
    removeAgentFolder(victim, uid);
    expect(fs.readdirSync(victim).sort()).toEqual(['agent.sock', 'sub']);
    removeAgentFolder(path.join(parent, 'nowhere'), uid);
  });
});
