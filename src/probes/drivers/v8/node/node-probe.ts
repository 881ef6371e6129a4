/** The probe of a Node process (also Electron's main process and Deno): queries the agent inside it. */
import * as z from 'zod';
import { BUDGET_PARTS } from '../../../../model/budget.ts';
import { healthFields, type ProbeHealth } from '../../../../model/health.ts';
import type { ActionArguments, ActionOutcome, RawAction } from '../../../../model/raw-action.ts';
import type { AppContext } from '../../../../model/wire.ts';
import {
  type Capture,
  type CaptureRequest,
  NotDispatchedError,
  type Probe,
  type ProgramIdentity,
} from '../../../probe.ts';
import { AgentHealth } from '../../../support/agent-health.ts';
import type { ProbeChannel } from '../../../support/framed/framed-channel.ts';
import { checkLeaves } from '../../../support/leaf-check.ts';
import { factsOf } from '../js/function-facts.ts';
import { orderedArguments } from '../js/ordered-arguments.ts';
import type { AgentAction, AgentRequest } from './agent/protocol.ts';

const NO_PAGE: AppContext = { url: null, location: null, view: null, window_title: null, window_id: null };

const accessor = z.object({ name: z.string(), get: z.string().nullable(), set: z.string().nullable() });
const root = z.object({
  name: z.string(),
  origin: z.string(),
  mangled: z.boolean(),
  constants: z.array(z.string()).exactOptional(),
  family: z.string().optional(),
});
const captureResult = z.object({
  leaves: z.unknown(),
  roots: z.array(root).nullable(),
  actions: z
    .array(
      z.object({
        binding: z.string(),
        source: z.string(),
        accessors: z.array(accessor).max(100),
        className: z.string().nullable(),
        given: z.number().int().min(0),
      }),
    )
    .nullable(),
  rawCount: z.number().min(0),
  coverage: z.number().min(0).max(1),
  costMs: z.number().min(0),
  stoppedBy: z.enum(BUDGET_PARTS).nullable(),
  isSearching: z.boolean(),
  hasMuchLeft: z.boolean(),
  unseen: z.enum(['nothing', 'handler', 'objects', 'all']),
  waitsFor: z.string().max(200).nullable(),
  heapScanned: z.boolean(),
  ...healthFields,
});
const invokeResult = z.object({ ok: z.boolean(), dispatched: z.boolean(), text: z.string() });
const notice = z.object({ op: z.literal('thrown'), text: z.string().max(10_000) });
const MAX_ACTIONS = 300;

export class NodeProbe implements Probe {
  readonly program: ProgramIdentity | undefined;
  readonly closed: Promise<void>;
  private readonly channel: ProbeChannel<AgentRequest>;
  private readonly maxKeys: number;
  private actions = new Map<string, RawAction>();
  private thrown: string | null = null;
  private readonly agentHealth = new AgentHealth();

  constructor(channel: ProbeChannel<AgentRequest>, maxKeys: number, program?: ProgramIdentity) {
    this.program = program;
    this.channel = channel;
    this.maxKeys = maxKeys;
    this.closed = channel.closed;
    channel.onPush?.((message) => {
      const thrown = notice.safeParse(message).data;
      if (thrown) this.thrown ??= thrown.text;
    });
  }

  async capture({ depth, full, isAsked = false, signal }: CaptureRequest): Promise<Capture> {
    const answer = await this.channel.call({ op: 'capture', full, deep: depth === 'deep', isAsked }, signal);
    const result = captureResult.parse(answer);
    this.agentHealth.take(result);
    const actions = result.actions?.slice(0, MAX_ACTIONS).flatMap(toRawAction) ?? null;
    if (actions) this.actions = new Map(actions.map((action) => [action.binding, action]));
    return {
      leaves: checkLeaves(result.leaves, this.maxKeys),
      roots: result.roots,
      actions,
      context: NO_PAGE,
      tier: result.heapScanned ? 'heap_snapshot' : 'aso_fast',
      domTierUsed: false,
      rawCount: result.rawCount,
      coverage: result.coverage,
      costMs: result.costMs,
      stoppedBy: result.stoppedBy,
      suggestsHeapScan: false,
      isDeep: depth === 'deep' && result.heapScanned,
      isSearching: result.isSearching,
      hasMuchLeft: result.hasMuchLeft,
      unseen: ['handler', 'all'].includes(result.unseen) ? 'the object that handles the requests of this server' : null,
      seesNoObject: ['objects', 'all'].includes(result.unseen),
      waitsFor: result.waitsFor,
      ...(depth === 'deep' && result.heapScanned ? { foundInHeap: result.rawCount > 0 } : {}),
    };
  }

  async invoke(binding: string, args: ActionArguments, signal: AbortSignal): Promise<ActionOutcome> {
    const action = this.actions.get(binding);
    if (!action) throw new NotDispatchedError('The app does not have this action any more.');
    const { indices, values } = orderArguments(action, args);
    this.thrown = null;
    const { ok, dispatched, text } = invokeResult.parse(
      await this.channel.call({ op: 'invoke', binding, args: values, indices }, signal),
    );
    if (!dispatched) throw new NotDispatchedError(`Nothing was called: ${text}.`);
    const what = ok ? (text === '' ? 'ran.' : `returned ${text}`) : `threw ${text}`;
    const quoted = ok && text !== '' ? { quoted: text } : {};
    return { ok, message: `${action.name} ${what}`, rawReturn: null, ...quoted, invocationContext: null };
  }

  health(): ProbeHealth {
    return this.agentHealth.report;
  }

  takeThrown(): string | null {
    const { thrown } = this;
    this.thrown = null;
    return thrown;
  }

  detach(): Promise<void> {
    return this.channel.close();
  }
}

/**
 * `orders[*]#cancel` becomes `orders.cancel(index)`: one action for all elements of a list. None if it needs a
 * function.
 */
function toRawAction({ binding, source, accessors, className, given }: AgentAction): RawAction[] {
  const hash = binding.lastIndexOf('#');
  const [holder, method] = [binding.slice(0, hash), binding.slice(hash + 1)];
  const facts = factsOf(source, accessors);
  if (facts.callbackAt >= given) return [];
  const indices = (holder.match(/\[\*\]/g) ?? []).map((_, at) => ({
    name: at === 0 ? 'index' : `index${at + 1}`,
    type: 'number' as const,
    required: true,
    description: 'which element of the list',
  }));
  const taken = new Set(indices.map(({ name }) => name));
  const parameters = facts.parameters
    .slice(given)
    .map((parameter) => (taken.has(parameter.name) ? { ...parameter, name: `${parameter.name}_argument` } : parameter));
  const path = holder.replaceAll('[*]', '');
  const action = {
    binding,
    name: path === '' ? method : `${path}.${method}`,
    parameters: [...indices, ...parameters],
    returns: facts.returns,
    effect: facts.effect,
    description:
      className && className !== 'Object'
        ? `Method ${method} of ${className} at ${holder}.`
        : `Function ${method} at ${holder}.`,
  };
  return [action];
}

function orderArguments(action: RawAction, args: ActionArguments): { indices: number[]; values: unknown[] } {
  const count = (action.binding.match(/\[\*\]/g) ?? []).length;
  const indices = action.parameters.slice(0, count).map(({ name }) => Number(args[name]));
  const values = orderedArguments(action.parameters.slice(count), args);
  return { indices, values };
}
