/** Programs that end just when they are attached to: they end normally, and nothing of ours stays. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { assemblyName, readAgentBuild } from '../../src/probes/drivers/clr/agent-build.ts';
import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { encodeAttach } from '../../src/probes/drivers/clr/mono/mono-attach.ts';
import type { AttachTools } from '../../src/probes/probe.ts';
import { full } from '../contract/probe-contract.ts';
import { AMPLE } from '../support/budget.ts';
import { isHere, startDotnet } from '../support/dotnet.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

const driver = createClrDriver(clr.settings.parse({}));
const { inspector, signal } = createHost();
/** A program that does not end by then hangs. */
const HANGS_MS = 10_000;

afterEach(endAll);

const toolsOf = (changes: Partial<AttachTools> = {}): AttachTools => ({
  inspect: inspector,
  signal,
  log: { debug() {}, info() {}, warn() {}, error() {} },
  trace: NO_TRACE,
  maxKeys: 1000,
  budget: AMPLE,
  abort: new AbortController().signal,
  ...changes,
});

function ours({ pid, info }: Target): string[] {
  const names = ['/tmp', '/dev/shm'].flatMap((folder) => fs.readdirSync(folder));
  return names.filter(
    (name) =>
      name === `.mono_attach_pid${pid}` || (/^substrate-clr-/.test(name) && name.endsWith(`${pid}-${info.startTime}`)),
  );
}

describe('a program that ends while it is attached to', () => {
  it('ends, though Mono waits for the thread that takes attaches', async () => {
    const target = await startDotnet('mono', 'ending');
    let isTold = false;
    const inspect = Object.assign(createHost().inspector, {
      unixListeners(this: void, ref: Target['info']) {
        const found = inspector.unixListeners(ref);
        // The thread exists. Mono aborts it, and it returns to its socket.
        if (found.some((file) => file.endsWith(`/.mono-${ref.pid}`)) && !isTold) {
          isTold = true;
          target.write('r');
          untilAborting(ref.pid);
        }
        return found;
      },
    });
    const attached = driver.attach(target.info, toolsOf({ inspect })).catch(() => null);
    // Mono's own code may crash at this moment, which is documented; it must not wait for ever.
    expect(await Promise.race([target.exited, delay(HANGS_MS, 'it hangs')])).not.toBe('it hangs');
    await attached;
    expect(ours(target)).toEqual([]);
  });

  it('is not signalled when it does not rest before', async () => {
    const target = await startDotnet('mono', 'ending');
    const signals: string[] = [];
    target.write('c');
    const noted: AttachTools['signal'] = (ref, name) => {
      signals.push(name);
      signal(ref, name);
    };
    await expect(driver.attach(target.info, toolsOf({ signal: noted }))).rejects.toThrow(/ended while/);
    expect(signals).toEqual([]);
    expect(await target.exited).toBe(7);
    expect(target.output()).toBe('ready\n');
    expect(ours(target)).toEqual([]);
  });

  /** The main thread has read the input and waits for the others: without an event loop, as nothing may be sent yet. */
  function untilAborting(pid: number): void {
    const sleep = new Int32Array(new SharedArrayBuffer(4));
    for (let round = 0; round < 500; round++) {
      Atomics.wait(sleep, 0, 0, 2);
      if (fs.readFileSync(`/proc/${pid}/wchan`, 'utf8').includes('futex')) return;
    }
  }

  it.runIf(isHere('net9'))('leaves no folder when it has not said whether it loads the agent', async () => {
    const target = await startDotnet('net9', 'ending');
    let looks = 0;
    const inspect = Object.assign(createHost().inspector, {
      resolvePath(this: void, ref: Target['info'], file: string) {
        // The last check before the hook is sent.
        if (/\/substrate-clr-[^/]+\/SubstrateClr_\w+\.dll$/.test(file)) {
          process.kill(target.pid, 'SIGSTOP');
          setTimeout(() => process.kill(target.pid, 'SIGKILL'), 100);
        }
        return inspector.resolvePath(ref, file);
      },
      // It closes its connections a moment before it is gone.
      isAlive: (ref: Target['info']) => looks++ < 2 || inspector.isAlive(ref),
    });
    // The message depends on how far it has ended by then.
    const refused = /ended while|did not take the agent/;
    await expect(driver.attach(target.info, toolsOf({ inspect }))).rejects.toThrow(refused);
    expect(ours(target)).toEqual([]);
  });
});

describe("Mono's door, once we keep it", () => {
  it('stays open when it is told to close', async () => {
    const target = await startDotnet('mono', 'ending');
    const probe = await driver.attach(target.info, toolsOf());
    const agent = `/tmp/${assemblyName(readAgentBuild().build)}.dll`;
    await knock(target, encodeAttach('terminated', agent, '-'));
    await probe.capture(full());
    await probe.detach();
    const again = await driver.attach(target.info, toolsOf());
    await again.detach();
    target.write('r');
    expect(await target.exited).toBe(7);
    expect(target.output()).toBe('ready\n');
  });

  it('takes no time while the program has too many files open', async () => {
    const target = await startDotnet('mono', 'ending');
    const probe = await driver.attach(target.info, toolsOf());
    // Mono loads libraries on demand, and ends if it cannot.
    await probe.capture(full());
    const files = new Set(fs.readdirSync(`/proc/${target.pid}/fd`).map(Number));
    const free = [...Array(files.size + 1).keys()].findIndex((number) => !files.has(number));
    expect(spawnSync('prlimit', [`--nofile=${free}:`, '--pid', String(target.pid)]).status).toBe(0);
    const connection = await knock(target, Buffer.from('M'));
    const [spent, passed] = [ticks(target), performance.now()];
    await delay(1000);
    const share = ((ticks(target) - spent) * 10) / (performance.now() - passed);
    expect(share).toBeLessThan(0.3);
    connection.destroy();
    await probe.detach();
  });

  function knock(target: Target, message: Buffer): Promise<net.Socket> {
    return until('the door', () => {
      const file = inspector.unixListeners(target.info).find((name) => name.endsWith(`/.mono-${target.pid}`));
      if (file === undefined) return null;
      const socket = net.connect(file);
      return new Promise<net.Socket>((resolve, reject) => {
        socket.once('error', reject);
        socket.write(message, () => resolve(socket));
      });
    });
  }

  /** In ticks of 10 ms. */
  function ticks({ pid }: Target): number {
    const words = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(words[11]) + Number(words[12]);
  }
});
