/** The tab that all tools read: how it is opened, changed, and how long its main thread was busy. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { OWN_NETWORK } from '../src/host/own-network.ts';
import { CdpConnection } from '../src/probes/drivers/v8/cdp/cdp-connection.ts';
import { type Chromium, openPage } from '../test/support/chromium.ts';

const CONNECT_TIMEOUT_MS = 5000;
const CALL_TIMEOUT_MS = 120_000;
/** A page that was just drawn has some work left over. */
const SETTLE_MS = 1500;
const MOST_IDLE_MS = 3000;

const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});
const metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });
const listed = z.array(z.object({ id: z.string(), type: z.string() }));

/**
 * The Redux store as flat keys, found through React's fibers: code by somebody who knows how the page is made. Every
 * tool that can evaluate gets the same text.
 */
export const FLATTEN = `(() => {
  const root = document.getElementById('root');
  const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$'));
  let fiber = root[key].stateNode.current;
  while (!fiber.memoizedProps?.store) fiber = fiber.child;
  const flat = {};
  const walk = (value, path) => {
    if (value === null || typeof value !== 'object') flat[path] = value;
    else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) walk(value[i], path + '[' + i + ']');
    else for (const name in value) walk(value[name], path === '' ? name : path + '.' + name);
  };
  walk(fiber.memoizedProps.store.getState(), '');
  return flat;
})()`;

/** Until the frame is drawn, so that the page's own work is not attributed to the reader. */
const TOUCH = `new Promise((resolve) => {
  document.getElementById('touch').click();
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 500);
})`;

export interface BusyTime {
  /** The total duration of all tasks of the main thread, in ms. */
  readonly tasks: number;
  /** The same without the time in which other programs ran. */
  readonly cpu: number;
}

export class Tab {
  readonly url: string;
  private readonly connection: CdpConnection;
  private readonly cpuClock: CdpConnection;

  /** Afterwards the browser shows only this page, so that no tool can confuse it with another one. */
  static async open(chromium: Chromium, url: string): Promise<Tab> {
    const page = await openPage(chromium, url);
    const endpoint = `http://127.0.0.1:${chromium.debugPort}/json`;
    const others = listed.parse(await (await fetch(`${endpoint}/list`)).json());
    for (const { id, type } of others) {
      if (type === 'page' && id !== page.targetId) await fetch(`${endpoint}/close/${id}`);
    }
    // A session uses only one clock.
    const connection = await CdpConnection.open(OWN_NETWORK, page.webSocketUrl, CONNECT_TIMEOUT_MS);
    const cpuClock = await CdpConnection.open(OWN_NETWORK, page.webSocketUrl, CONNECT_TIMEOUT_MS);
    await connection.send('Performance.enable', { timeDomain: 'timeTicks' });
    await cpuClock.send('Performance.enable', { timeDomain: 'threadTicks' });
    await delay(SETTLE_MS);
    return new Tab(url, connection, cpuClock);
  }

  private constructor(url: string, connection: CdpConnection, cpuClock: CdpConnection) {
    this.url = url;
    this.connection = connection;
    this.cpuClock = cpuClock;
  }

  async evaluate(expression: string): Promise<unknown> {
    const params = { expression, returnByValue: true, awaitPromise: true };
    const answer = evaluated.parse(await this.connection.send('Runtime.evaluate', params, CALL_TIMEOUT_MS));
    if (answer.exceptionDetails) throw new Error(`the page threw: ${answer.exceptionDetails.text}`);
    return answer.result.value;
  }

  /** Changes one leaf of the store by a click. */
  async touch(): Promise<void> {
    await this.evaluate(TOUCH);
  }

  /** Like `touch`, but does not wait for the frame, for measurements of the time until the notification. */
  async touchOnly(): Promise<void> {
    await this.evaluate(`document.getElementById('touch').click()`);
  }

  async storeLeaves(): Promise<number> {
    return Number(await this.evaluate(`Object.keys(${FLATTEN}).length`));
  }

  /** The cost of one call of `work` for the main thread, without the page's own work in the same time. */
  async busyPerCall(calls: number, work: () => Promise<unknown>): Promise<BusyTime> {
    const began = performance.now();
    const withWork = await this.busyDuring(async () => {
      for (let call = 0; call < calls; call++) await work();
    });
    const tookMs = performance.now() - began;
    const idleMs = Math.min(tookMs, MOST_IDLE_MS);
    const idle = await this.busyDuring(() => delay(idleMs));
    const net = (kind: keyof BusyTime) => (withWork[kind] - (idle[kind] * tookMs) / idleMs) / calls;
    return { tasks: net('tasks'), cpu: net('cpu') };
  }

  async close(): Promise<void> {
    await this.connection.close();
    await this.cpuClock.close();
  }

  private async busyDuring(work: () => Promise<unknown>): Promise<BusyTime> {
    const before = await this.busySoFar();
    await work();
    const after = await this.busySoFar();
    return { tasks: after.tasks - before.tasks, cpu: after.cpu - before.cpu };
  }

  private async busySoFar(): Promise<BusyTime> {
    return { tasks: await taskMs(this.connection), cpu: await taskMs(this.cpuClock) };
  }
}

async function taskMs(connection: CdpConnection): Promise<number> {
  const { metrics: all } = metrics.parse(await connection.send('Performance.getMetrics'));
  return (all.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}
