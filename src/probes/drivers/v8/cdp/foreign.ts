/** What targets say in events and answers is foreign input, its ids too: any of it may be missing, or anything at all. */
import * as z from 'zod';
import { CdpError, type CdpResult } from './cdp-session.ts';

/** Those of V8 and Chromium have 40 characters at most. */
const MAX_ID = 256;

/** Null: that is no id. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID ? value : null;
}

/** Of an answer that is of no use without it. */
export function neededId(value: unknown): string {
  const id = idOf(value);
  if (id === null) throw new CdpError('the answer has no id');
  return id;
}

const dialog = z.object({
  type: z.string().max(MAX_ID).catch('alert'),
  message: z.string().catch(''),
  defaultPrompt: z.string().catch(''),
});

interface Dialog {
  readonly type: string;
  readonly message: string;
  /** The text that a prompt offers. */
  readonly offered: string;
}

/** Of `Page.javascriptDialogOpening`. */
export function dialogOf(params: CdpResult, maxText: number): Dialog {
  const { type, message, defaultPrompt } = dialog.parse(params);
  return { type, message: message.slice(0, maxText), offered: defaultPrompt.slice(0, maxText) };
}
