/** Runs an action of a page: real input if a person could do it, a call if only the app's code can. */
import * as z from 'zod';
import type { ActionArguments, ActionOutcome, RawAction } from '../../../../model/raw-action.ts';
import { NotDispatchedError, TargetBusyError } from '../../../probe.ts';
import { orderedArguments } from '../js/ordered-arguments.ts';
import type { FrameAgents } from './frame-agents.ts';
import type { Page } from './page.ts';
import { type Arrival, PageActions } from './page-actions.ts';
import { DocumentGone, type PageAgent } from './page-agent.ts';
import { BUILTINS, UPLOAD } from './page-builtins.ts';

const PAGE = 'page';
const invoked = z.object({ ok: z.boolean(), dispatched: z.boolean(), text: z.string() });

const ofPage = (action: RawAction): RawAction => ({ ...action, binding: `${PAGE}|${action.binding}` });
const PAGE_BUILTINS: readonly RawAction[] = BUILTINS.map(ofPage);
const WITH_UPLOAD = [...PAGE_BUILTINS, ofPage(UPLOAD)];

/** `uploadFolders`: folders with files that pages may receive. */
export function builtinsFor(uploadFolders: readonly string[]): readonly RawAction[] {
  return uploadFolders.length > 0 ? WITH_UPLOAD : PAGE_BUILTINS;
}

export const NAVIGATE = { binding: `${PAGE}|navigate` };

/** Needs no agent: the page may have crashed. */
export function navigatePage(
  page: Page,
  args: ActionArguments,
  signal: AbortSignal,
  options: { readonly limitMs: number; readonly ownSchemes: ReadonlySet<string> },
): Promise<ActionOutcome> {
  const callAgent = () => Promise.reject(new Error('no agent is asked'));
  const { session } = page;
  const whenUp = async (loaderId: string | null, limitMs: number): Promise<Arrival> => {
    const work = page.load.whenUp(loaderId, limitMs, signal).then((arrived) => arrived ?? 'late');
    const arrival = await page.during(
      // The page may be gone by then, or hang.
      work.catch(() => 'late' as const),
      limitMs,
      signal,
    );
    return arrival === 'late' ? 'loading' : arrival;
  };
  return new PageActions({ session, callAgent, whenUp, ...options }).invokeBuiltin('navigate', args, signal);
}

/** `source`: `page` for built-in actions, else the agent that reported the action (`dom`, `frames.checkout.state`). */
export async function invokePageAction(
  page: Page,
  action: RawAction,
  args: ActionArguments,
  signal: AbortSignal,
  { limitMs, uploadFolders }: { readonly limitMs: number; readonly uploadFolders: readonly string[] },
): Promise<ActionOutcome> {
  const bar = action.binding.indexOf('|');
  const [source, binding] = [action.binding.slice(0, bar), action.binding.slice(bar + 1)];
  const isState = /(?:^|\.)state$/.test(source);
  const frame = await page.frameOf(source === PAGE ? '' : source.replace(/\.?(?:state|dom)$/, ''));
  if (!frame) throw new NotDispatchedError('The frame that has this action is gone.');
  if (isState) return call(page, agentOf(frame, 'state'), { ...action, binding }, args, signal, limitMs);
  const dom = agentOf(frame, 'dom');
  const actions = new PageActions({
    session: frame.session,
    frameId: frame.frame.id,
    limitMs,
    uploadFolders,
    callAgent: (method, json) => askAgent(dom, method, json),
    locateDrawn: async (text, within) => {
      const { state } = frame;
      return state ? z.string().parse(await state.call('locateDrawn', { value: text }, { value: within })) : 'null';
    },
  });
  return source === PAGE ? actions.invokeBuiltin(binding, args, signal) : actions.invokeControl(binding, args, signal);
}

function agentOf(frame: FrameAgents, which: 'state' | 'dom'): PageAgent {
  const agent = frame[which];
  if (!agent) throw new TargetBusyError('The page is being loaded.');
  return agent;
}

/** Nothing was done before this call: if the document is gone, nothing happened. */
async function askAgent(agent: PageAgent, method: string, json: string): Promise<string> {
  try {
    return z.string().parse(await agent.call(method, { value: json }));
  } catch (error) {
    if (error instanceof DocumentGone) throw new NotDispatchedError('The page shows another document now.');
    throw error;
  }
}

async function call(
  page: Page,
  agent: PageAgent,
  action: RawAction,
  args: ActionArguments,
  signal: AbortSignal,
  limitMs: number,
): Promise<ActionOutcome> {
  const values = orderedArguments(action.parameters, args);
  let result: z.infer<typeof invoked>;
  try {
    const work = agent.call('invoke', { value: action.binding }, { value: JSON.stringify(values) });
    // Awaited below, unless a dialog or the time limit ends the wait.
    work.catch(() => undefined);
    const answer = await page.during(work, limitMs, signal);
    if (answer === 'dialog')
      return {
        ok: true,
        message: `${action.name} opened a dialog: the page waits until it is answered.`,
        ...NOTHING_BACK,
      };
    if (answer === 'late') return { ok: false, message: `${action.name} still runs.`, ...NOTHING_BACK };
    result = invoked.parse(JSON.parse(String(answer)));
  } catch (error) {
    if (!(error instanceof DocumentGone)) throw error;
    if (!error.wasCalled) throw new NotDispatchedError('The page shows another document now.');
    // The call itself may have caused it.
    return { ok: true, message: `${action.name} ran; the page shows another document now.`, ...NOTHING_BACK };
  }
  const { ok, dispatched, text } = result;
  if (!dispatched) throw new NotDispatchedError(`Nothing was called: ${text}.`);
  const what = ok ? (text === '' ? 'ran.' : `returned ${text}`) : `threw ${text}`;
  return { ok, message: `${action.name} ${what}`, ...NOTHING_BACK, ...(ok && text !== '' ? { quoted: text } : {}) };
}

const NOTHING_BACK = { rawReturn: null, invocationContext: null } as const;
