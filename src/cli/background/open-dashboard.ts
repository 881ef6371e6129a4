/**
 * Opens the dashboard in the browser. Other users of the machine can read all command lines, and the code in the
 * address admits whoever is first, so the address is no argument: the browser gets a file that redirects to it. The
 * file is for its user only, and `substrate down` removes it.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FILE_MODE, preparePrivateTarget } from '../../store/private-path.ts';

/** How long to wait for the error of a failed opener. A working one may run as long as the browser. */
const OPENER_TIMEOUT_MS = 2000;

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { linux: 'xdg-open', freebsd: 'xdg-open', darwin: 'open' };

export function redirectFile(storageDir: string): string {
  return path.join(storageDir, 'open-dashboard.html');
}

/** Null if it was opened; otherwise the reason. */
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
    const timer = setTimeout(() => resolve(null), OPENER_TIMEOUT_MS);
    child.once('error', () => resolve(`there is no ${opener} on this machine`));
    child.once('exit', (code) => resolve(code === 0 ? null : `${opener} failed (code ${code})`));
    child.once('close', () => clearTimeout(timer));
  });
  child.unref();
  return problem;
}

/** The link is ours, with only an address and a code: none of its characters has a meaning in HTML. */
function redirectTo(link: string): string {
  const safe = link.replace(/[<>"'&]/g, '');
  return `<!doctype html>\n<meta charset="utf-8">\n<meta name="referrer" content="no-referrer">\n<meta http-equiv="refresh" content="0;url=${safe}">\n<title>substrate</title>\n<a href="${safe}">dashboard</a>\n`;
}
