/** `substrate attach` and `detach`: by hand what a request for the state of an app does, and its opposite. */
import { findApp } from '../find-app.ts';
import { printable } from '../terminal.ts';
import type { CommandContext } from './command.ts';
import { findReady } from './first-look.ts';

export async function attach(context: CommandContext, wanted: string): Promise<void> {
  const app = await findReady(context, wanted);
  // Throws what is in the way, if something is.
  const attachment = await context.substrate.attach(app.pid);
  await context.substrate.schema(app.pid);
  if (context.json) return context.terminal.json(attachment);
  context.terminal.out(`Attached to ${printable(app.app_name)} (pid ${app.pid}).`);
}

export async function detach({ substrate, terminal, json }: CommandContext, wanted: string): Promise<void> {
  const app = await findApp(substrate, wanted);
  const attachment = await substrate.detach(app.pid);
  if (json) return terminal.json(attachment);
  terminal.out(`Detached from ${printable(app.app_name)} (pid ${app.pid}). It stays so until somebody asks for it.`);
}
