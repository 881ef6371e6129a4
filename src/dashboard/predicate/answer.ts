/** The daemon's answer to an expression: true, false, or an error. */
import { type Substrate, SubstrateError, type VerifyResponse } from '../../client/index.ts';
import { adviceFor } from '../actions/advice.ts';
import { messageOf } from '../ui/message-of.ts';

export type Answer =
  | { readonly kind: 'answered'; readonly response: VerifyResponse }
  | { readonly kind: 'error'; readonly code: string | null; readonly message: string; readonly advice: string | null };

/** The daemon's minimum: evaluates the known state once, and a new capture once. */
export const AT_ONCE_MS = 100;

export interface Question {
  readonly pid: number;
  readonly expression: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export async function askDaemon(substrate: Substrate, question: Question): Promise<Answer> {
  const { pid, expression, timeoutMs, signal } = question;
  try {
    return { kind: 'answered', response: await substrate.verify(pid, expression, { timeoutMs, signal }) };
  } catch (error) {
    if (signal.aborted) return { kind: 'error', code: null, message: 'No longer waited for.', advice: null };
    const message = messageOf(error);
    if (!(error instanceof SubstrateError)) return { kind: 'error', code: null, message, advice: null };
    return { kind: 'error', code: error.code, message, advice: adviceFor(error) };
  }
}

export function wordFor(answer: Answer): { readonly word: string; readonly tone: 'good' | 'bad' | 'warn' } {
  if (answer.kind === 'error') return { word: 'Error', tone: 'warn' };
  return answer.response.passed ? { word: 'True', tone: 'good' } : { word: 'False', tone: 'bad' };
}
