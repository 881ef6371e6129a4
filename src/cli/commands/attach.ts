/** `substrate attach` and `detach`: do explicitly what a request for the state of an app does, and its opposite. */
import { setTimeout as delay } from 'node:timers/promises';
import { findApp } from '../find-app.ts';
import { printable } from '../terminal.ts';
import type { CommandContext } from './command.ts';
import { findReady, findTracked } from './first-look.ts';
import { lastAttach, TraceStory } from './trace-story.ts';

const FOLLOW_MS = 250;

export async function attach(context: CommandContext, wanted: string): Promise<void> {
  const app = await findReady(context, wanted);
  // Throws the obstacle, if there is one.
  const attachment = await context.substrate.attach(app.pid);
  await context.substrate.schema(app.pid);
  if (context.json) return context.terminal.json(attachment);
  context.terminal.out(`Attached to ${printable(app.app_name)} (pid ${app.pid}).`);
}

/** Also prints each step. For an app that is already attached: the steps of its last attach. */
export async function attachTraced(context: CommandContext, wanted: string): Promise<void> {
  const { substrate, terminal, json } = context;
  const { pid, app_name } = await findTracked(context, wanted);
  const story = new TraceStory(terminal);
  const before = await substrate.trace(pid);
  const show = (steps: typeof before.steps, isLast = false) => {
    if (!json) for (const line of story.lines(steps, isLast)) terminal.out(line);
  };
  if (!json) terminal.out(`${printable(app_name)} (pid ${pid}), found at ${before.found_at}`);
  show(lastAttach(before.steps));
  let isOver = false;
  const attached = substrate.attach(pid).finally(() => {
    isOver = true;
  });
  // Awaited below, after its steps were printed.
  attached.catch(() => undefined);
  let { revision } = before;
  const follow = async () => {
    const update = await substrate.trace(pid, { since: revision });
    revision = update.revision;
    show(update.steps, isOver);
  };
  while (!isOver) {
    await follow();
    // The outcome is reported below.
    await Promise.race([attached.catch(() => undefined), delay(FOLLOW_MS)]);
  }
  await follow();
  if (json) {
    const { steps, found_at } = await substrate.trace(pid);
    terminal.json({ found_at, steps: lastAttach(steps), attachment: await attached });
    return;
  }
  const { verdict } = await attached;
  terminal.out(printable(verdict));
}

export async function detach({ substrate, terminal, json }: CommandContext, wanted: string): Promise<void> {
  const app = await findApp(substrate, wanted);
  const attachment = await substrate.detach(app.pid);
  if (json) return terminal.json(attachment);
  terminal.out(`Detached from ${printable(app.app_name)} (pid ${app.pid}). It stays so until somebody asks for it.`);
}
