/** Events and answers of targets are foreign input, including their ids: anything may be missing or invalid. */
import * as z from 'zod';
import { CdpError, type CdpResult } from './cdp-session.ts';

/** The ids of V8 and Chromium have at most 40 characters. */
const MAX_ID = 256;

/** Null if it is no id. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID ? value : null;
}

/** For an answer that is useless without an id. */
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

/** For `Page.javascriptDialogOpening`. */
export function dialogOf(params: CdpResult, maxText: number): Dialog {
  const { type, message, defaultPrompt } = dialog.parse(params);
  return { type, message: message.slice(0, maxText), offered: defaultPrompt.slice(0, maxText) };
}
