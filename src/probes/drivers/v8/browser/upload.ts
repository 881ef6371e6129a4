/** Gives a file of this machine to a page. The chooser is opened as by a person, and answered instead of shown. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { BadArgumentError } from '../../../probe.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { InputResult } from './input.ts';

/** A page may do something else first, such as asking its server for permission. */
const OPENING_MS = 3000;

const chooser = z.object({ backendNodeId: z.number().optional() });

/** The path of a file that pages may receive. Throws for any other. */
export function allowedFile(file: string, folders: readonly string[]): string {
  const real = path.isAbsolute(file) ? realPathOf(file) : null;
  const isInside = (folder: string) => real?.startsWith(`${realPathOf(folder) ?? folder}${path.sep}`) === true;
  // A caller must not learn whether another file exists.
  if (real === null || !folders.some(isInside) || !statSync(real).isFile())
    throw new BadArgumentError(
      `parameters.file must be the whole path of a file in a folder of [probe.v8] upload_folders: ${folders.join(', ')}.`,
    );
  return real;
}

function realPathOf(name: string): string | null {
  try {
    return realpathSync(name);
  } catch {
    // Absent or unreadable, so it is not given to a page.
    return null;
  }
}

/** `open` makes the page open its chooser. Returns its result; null if no chooser opened. */
export async function answerChooser(
  session: CdpSession,
  file: string,
  open: () => Promise<InputResult>,
  leftMs: () => number,
): Promise<InputResult | null> {
  let endWait: (opened: z.infer<typeof chooser> | null) => void = () => {};
  const opened = new Promise<z.infer<typeof chooser> | null>((resolve) => {
    endWait = resolve;
  });
  const stopListening = session.on('Page.fileChooserOpened', (params) =>
    endWait(chooser.safeParse(params).data ?? null),
  );
  const timer = setTimeout(() => endWait(null), Math.min(OPENING_MS, leftMs()));
  const intercept = (enabled: boolean) => session.send('Page.setInterceptFileChooserDialog', { enabled }, leftMs());
  try {
    await intercept(true);
    const result = await open();
    const found = result.dialog === null ? await opened : null;
    if (result.dialog !== null) return result;
    // A page that requests files through its own script names no field, so nothing can be put there.
    if (found?.backendNodeId === undefined) return null;
    await session.send('DOM.setFileInputFiles', { files: [file], backendNodeId: found.backendNodeId }, leftMs());
    return result;
  } finally {
    clearTimeout(timer);
    stopListening();
    // A page that is gone by then has no chooser any more.
    await intercept(false).catch(() => undefined);
  }
}
