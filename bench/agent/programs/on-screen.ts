/** Programs with windows, each on a screen of its own. Their address is their folder, with the number of the screen. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startScreen } from '../../../test/support/runtimes.ts';
import type { Running } from '../app.ts';
import { startCommand } from '../start.ts';

const run = promisify(execFile);

export async function startOnScreen(command: string, args: readonly string[], folder: string): Promise<Running> {
  const screen = await startScreen();
  const running = startCommand(command, args, { port: 0, folder, env: envOf(screen, folder) });
  return { ...running, url: `file://${folder}?screen=${screen}` };
}

const envOf = (screen: number | string, folder: string) => ({ DISPLAY: `:${screen}`, TMPDIR: folder });

const screenOf = (url: string) => new URL(url).searchParams.get('screen') ?? '';

export const fileIn = (url: string, name: string) => path.join(fileURLToPath(url.replace(/\?.*$/, '')), name);

/** Runs another program beside it to its end. */
export async function runBeside(url: string, command: string, args: readonly string[], env = {}): Promise<string> {
  const folder = fileIn(url, '.');
  const own = { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', ...envOf(screenOf(url), folder), ...env };
  return (await run(command, [...args], { cwd: folder, env: own, timeout: 30_000 })).stdout;
}

/** The titles of all windows on the screen. */
export async function windowTitles(url: string): Promise<string[]> {
  const tree = await runBeside(url, 'xwininfo', ['-root', '-tree']);
  return [...tree.matchAll(/^\s*0x[\da-f]+ "(.*?)": /gm)].map(([, title = '']) => title);
}
