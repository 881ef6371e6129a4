/** Runs a tool, and explains failures in the words of the tools. */
import { ConnectionError, SubstrateError } from '../client/index.ts';
import { appData, cut } from './app-data.ts';
import type { ToolAnswer } from './server.ts';
import { ToolFailure } from './tool-failure.ts';
import { inToolWords } from './tool-words.ts';

const MAX_MESSAGE = 1000;
const ADVICE: Partial<Record<string, string>> = {
  missing_verify_expression: 'Call run_action again with `verify`.',
  forbidden_scope: 'The person who gave you this key decided so. Do not try again: tell them what you need.',
  browser_failed: 'Tell the person: only they can change that.',
  not_confirmed: 'Do not try again unless the person asks you to.',
  state_changed: 'Call read_state, decide again, and pass its capture_id.',
  unknown_action: 'list_actions lists the actions.',
  not_found: 'list_apps lists the apps.',
  pid_not_found: 'list_apps lists the apps.',
  probe_not_ready: 'Its first look is not over: try again in a few seconds.',
  capture_not_found: 'It is too old: read_state gives a new capture_id.',
};

export async function answerOf(work: () => Promise<ToolAnswer | string>): Promise<ToolAnswer> {
  try {
    const answer = await work();
    return typeof answer === 'string' ? { text: answer, isError: false } : answer;
  } catch (error) {
    return { text: explain(error), isError: true };
  }
}

function explain(error: unknown): string {
  if (error instanceof ToolFailure || error instanceof ConnectionError) return error.message;
  if (!(error instanceof SubstrateError)) throw error;
  const { code, message } = error;
  // The message may quote the app.
  return [code, appData([cut(inToolWords(message), MAX_MESSAGE)]), ADVICE[code] ?? ''].join('\n').trimEnd();
}
