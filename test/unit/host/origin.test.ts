import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOrigin } from '../../../src/host/linux/origin.ts';
import { ProcFs } from '../../../src/host/linux/proc-fs.ts';
import { FakeProc, type FakeProcess } from './fake-proc.ts';

const ID = 'a'.repeat(64);
const POD = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';
const HERE = { mnt: 'mnt:[1]', pid: 'pid:[1]', uts: 'uts:[1]' };
const THERE = { mnt: 'mnt:[2]', pid: 'pid:[2]', uts: 'uts:[2]' };

let proc: FakeProc;
let folder = '';
beforeEach(() => {
  proc = new FakeProc();
  proc.put(process.pid, { startTime: 1, namespaces: HERE, cgroup: '0::/user.slice' });
  folder = mkdtempSync(join(tmpdir(), 'substrate-engines-'));
  mkdirSync(join(folder, 'docker', ID), { recursive: true });
  mkdirSync(join(folder, 'pods'));
});
afterEach(() => {
  proc.destroy();
  rmSync(folder, { recursive: true });
});

function originOf(fake: Partial<FakeProcess>) {
  proc.put(500, { startTime: 2, namespaces: THERE, ...fake });
  const folders = { docker: join(folder, 'docker'), pods: join(folder, 'pods') };
  return readOrigin(new ProcFs(proc.root), 500, folders);
}

describe('the container of a process', () => {
  it('is none where the mounts are those of the daemon, whatever its control group is called', () => {
    expect(originOf({ namespaces: HERE, cgroup: `0::/docker/${ID}` })).toBeNull();
  });

  it('is none where it is that of the daemon', () => {
    proc.put(process.pid, { startTime: 1, namespaces: HERE, cgroup: `0::/docker/${ID}` });
    expect(originOf({ cgroup: `0::/docker/${ID}` })).toBeNull();
  });

  it('has the name that Docker gave it, or else its id', () => {
    const cgroup = `0::/system.slice/docker-${ID}.scope`;
    const unnamed = { engine: 'docker', id: ID, name: 'aaaaaaaaaaaa', pod: null, key: ID };
    expect(originOf({ cgroup })).toEqual(unnamed);
    writeFileSync(join(folder, 'docker', ID, 'config.v2.json'), '{"Name":');
    expect(originOf({ cgroup })).toEqual(unnamed);
    writeFileSync(join(folder, 'docker', ID, 'config.v2.json'), '{"Name":"/web-1"}');
    expect(originOf({ cgroup })).toEqual({ ...unnamed, name: 'web-1', key: 'web-1' });
  });

  it('has the name of its pod', () => {
    const cgroup = `0::/kubepods.slice/kubepods-pod${POD.replaceAll('-', '_')}.slice/cri-containerd-${ID}.scope`;
    expect(originOf({ cgroup })).toMatchObject({ name: 'aaaaaaaaaaaa', pod: POD, key: ID });
    writeFileSync(join(folder, 'pods', `web-7d9f_shop_app-${ID}.log`), '');
    expect(originOf({ cgroup })).toEqual({
      engine: 'containerd',
      id: ID,
      name: 'web-7d9f',
      pod: 'shop/web-7d9f',
      key: 'shop/web-7d9f/app',
    });
  });

  it('is known by the program outside that started it, and by none inside that calls itself so', () => {
    const conmon = { argv: ['/usr/bin/conmon', '-c', ID, '-n', 'web-1'], startTime: 2 };
    proc.put(400, { ...conmon, namespaces: HERE });
    proc.put(450, { startTime: 2, ppid: 400, namespaces: THERE });
    const expected = { engine: 'podman', id: ID, name: 'web-1', pod: null, key: 'web-1' };
    expect(originOf({ ppid: 450 })).toEqual(expected);
    const feigned = { ...conmon, argv: ['conmon', '-c', 'b'.repeat(64), '-n', 'payments'], ppid: 400 };
    proc.put(450, { ...feigned, namespaces: THERE });
    expect(originOf({ ppid: 450 })).toEqual(expected);
  });

  it('that was made by hand has the name of its host, if it has processes, mounts and such a name of its own', () => {
    const environ = ['PATH=/bin', 'HOSTNAME=box-1'];
    const named = { engine: null, id: null, name: 'box-1', pod: null, key: 'box-1' };
    expect(originOf({ environ })).toEqual(named);
    expect(originOf({ environ: ['HOSTNAME=a b'] })).toEqual({ ...named, name: 'namespace-2', key: null });
    expect(originOf({ environ, namespaces: { ...THERE, uts: HERE.uts } })).toBeNull();
    expect(originOf({ environ, namespaces: { ...THERE, pid: HERE.pid } })).toBeNull();
    expect(originOf({ environ, namespaces: {} })).toBeNull();
  });
});
