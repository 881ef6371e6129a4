/**
 * Opens the dashboard in the browser. Other users of the machine can read the command lines of all processes, so the
 * address, whose code lets whoever is first in, is not handed over as an argument: the browser gets a file that leads
 * there. It is for its user alone, and `substrate down` removes it.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FILE_MODE, preparePrivateTarget } from '../../store/private-path.ts';

/** How long to wait for a word of an opener that failed: those that work may stay as long as the browser does. */
const PATIENCE_MS = 2000;

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { linux: 'xdg-open', freebsd: 'xdg-open', darwin: 'open' };

export function redirectFile(storageDir: string): string {
  return path.join(storageDir, 'open-dashboard.html');
}

/** Null when it was opened; else why not. */
export async function openDashboard(
  link: string,
  options: { readonly storageDir: string; readonly platform: NodeJS.Platform; readonly env: NodeJS.ProcessEnv },
): Promise<string | null> {
  const opener = OPENERS[options.platform];
  if (opener === undefined) return `it is not known how a browser is opened on ${options.platform}`;
  const file = redirectFile(options.storageDir);
  preparePrivateTarget(file);
  rmSync(file, { force: true });
  const handle = openSync(file, 'wx', FILE_MODE);
  try {
    writeSync(handle, redirectTo(link));
  } finally {
    closeSync(handle);
  }
  const child = spawn(opener, [pathToFileURL(file).href], { detached: true, stdio: 'ignore', env: options.env });
  const problem = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    child.once('error', () => resolve(`there is no ${opener} on this machine`));
    child.once('exit', (code) => resolve(code === 0 ? null : `${opener} failed (code ${code})`));
    child.once('close', () => clearTimeout(timer));
  });
  child.unref();
  return problem;
}

/** The link is ours, and holds nothing but an address and a code: no character of it means anything in HTML. */
function redirectTo(link: string): string {
  const safe = link.replace(/[<>"'&]/g, '');
  return `<!doctype html>\n<meta charset="utf-8">\n<meta name="referrer" content="no-referrer">\n<meta http-equiv="refresh" content="0;url=${safe}">\n<title>substrate</title>\n<a href="${safe}">dashboard</a>\n`;
}
