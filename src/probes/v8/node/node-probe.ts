/** The probe of a plain Node process: asks the agent inside it. */
import { z } from 'zod';
import type { ActionArguments, ActionOutcome, RawAction } from '../../../model/raw-action.ts';
import type { AppContext } from '../../../model/wire.ts';
import { checkLeaves } from '../../leaf-check.ts';
import { type Capture, type CaptureRequest, NotDispatchedError, type Probe } from '../../probe.ts';
import { type FunctionFacts, readFunction } from '../js/js-source.ts';
import type { AgentAction } from './agent/protocol.ts';
import type { AgentChannel } from './agent-channel.ts';

const NO_PAGE: AppContext = { url: null, location: null, view: null, window_title: null, window_id: null };

const captureResult = z.object({
  leaves: z.unknown(),
  roots: z.array(z.object({ name: z.string(), origin: z.string(), mangled: z.boolean() })).nullable(),
  actions: z.array(z.object({ binding: z.string(), source: z.string(), className: z.string().nullable() })).nullable(),
  rawCount: z.number().min(0),
  coverage: z.number().min(0).max(1),
  heapScanned: z.boolean(),
});
const invokeResult = z.object({ ok: z.boolean(), dispatched: z.boolean(), text: z.string() });
const MAX_ACTIONS = 300;

export class NodeProbe implements Probe {
  readonly closed: Promise<void>;
  private readonly channel: AgentChannel;
  private readonly maxKeys: number;
  private actions = new Map<string, RawAction>();

  constructor(channel: AgentChannel, maxKeys: number) {
    this.channel = channel;
    this.maxKeys = maxKeys;
    this.closed = channel.closed;
  }

  async capture({ depth, full, signal }: CaptureRequest): Promise<Capture> {
    const answer = await this.channel.call({ op: 'capture', full, deep: depth === 'deep' }, signal);
    const result = captureResult.parse(answer);
    const actions = result.actions?.slice(0, MAX_ACTIONS).map(toRawAction) ?? null;
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
      // Whether the look through the heap was worth it: the next attach does it at once, or not at all.
      hints: depth === 'deep' ? { deep: result.rawCount > 0 } : null,
    };
  }

  async invoke(binding: string, args: ActionArguments, signal: AbortSignal): Promise<ActionOutcome> {
    const action = this.actions.get(binding);
    if (!action) throw new NotDispatchedError('The app does not have this action any more.');
    const { indices, values } = orderArguments(action, args);
    const { ok, dispatched, text } = invokeResult.parse(
      await this.channel.call({ op: 'invoke', binding, args: values, indices }, signal),
    );
    if (!dispatched) throw new NotDispatchedError(`Nothing was called: ${text}.`);
    const what = ok ? (text === '' ? 'ran.' : `returned ${text}`) : `threw ${text}`;
    return { ok, message: `${action.name} ${what}`, rawReturn: null, invocationContext: null };
  }

  detach(): Promise<void> {
    return this.channel.close();
  }
}

/** Reading a source takes its time, and the same ones come again whenever anything in the tree changes. */
const knownFacts = new Map<string, FunctionFacts>();
const MAX_KNOWN_FACTS = 2000;

function factsOf(source: string): FunctionFacts {
  let facts = knownFacts.get(source);
  if (!facts) {
    facts = readFunction(source);
    if (knownFacts.size >= MAX_KNOWN_FACTS) knownFacts.clear();
    knownFacts.set(source, facts);
  }
  return facts;
}

/** `orders[*]#cancel` becomes `orders.cancel(index)`: one action for all elements of a list. */
function toRawAction({ binding, source, className }: AgentAction): RawAction {
  const hash = binding.lastIndexOf('#');
  const [holder, method] = [binding.slice(0, hash), binding.slice(hash + 1)];
  const facts = factsOf(source);
  const indices = (holder.match(/\[\*\]/g) ?? []).map((_, at) => ({
    name: at === 0 ? 'index' : `index${at + 1}`,
    type: 'number' as const,
    required: true,
    description: 'which element of the list',
  }));
  const taken = new Set(indices.map(({ name }) => name));
  const parameters = facts.parameters.map((parameter) =>
    taken.has(parameter.name) ? { ...parameter, name: `${parameter.name}_argument` } : parameter,
  );
  const path = holder.replaceAll('[*]', '');
  return {
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
}

function orderArguments(action: RawAction, args: ActionArguments): { indices: number[]; values: unknown[] } {
  const count = (action.binding.match(/\[\*\]/g) ?? []).length;
  const indices = action.parameters.slice(0, count).map(({ name }) => Number(args[name]));
  const values: unknown[] = [];
  for (const parameter of action.parameters.slice(count)) {
    const value = args[parameter.name];
    if (parameter.description === 'further arguments' && Array.isArray(value)) values.push(...value);
    else values.push(value);
  }
  // An argument that was not given must not count as given: the function's own default stands.
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  return { indices, values };
}
