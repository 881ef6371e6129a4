/** Tools that a page itself offers to agents (WebMCP), if the browser supports them. */
import * as z from 'zod';
import type { ActionArguments, ActionOutcome, RawAction, RawParameter } from '../../../../model/raw-action.ts';
import type { TypeName } from '../../../../model/scalar.ts';
import { NotDispatchedError } from '../../../probe.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { neededId } from '../cdp/foreign.ts';

export const TOOLS = 'tools';
const MAX_TOOLS = 100;
const MAX_TEXT = 500;
/** The limit for a tool's description of itself. */
const MAX_TOOL_TEXT = 100_000;
const MAX_PARAMETERS = 50;
const MAX_OPTIONS = 30;

const property = z.object({
  type: z.unknown().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
});
const inputSchema = z.object({
  properties: z.record(z.string(), property.catch({})).optional(),
  required: z.array(z.string()).optional(),
});
const tool = z.object({
  name: z.string().min(1).max(200),
  description: z.string(),
  frameId: z.string(),
  inputSchema: inputSchema.optional().catch(undefined),
  annotations: z.object({ readOnly: z.boolean().optional() }).optional().catch(undefined),
});
type Tool = z.infer<typeof tool>;

const named = z.object({ name: z.string(), frameId: z.string() });
const responded = z.object({
  invocationId: z.string(),
  status: z.string(),
  output: z.unknown().optional(),
  errorText: z.string().optional(),
});

const TYPES: Record<string, TypeName> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
};

export class WebTools {
  /** Raised when a tool is added or removed. */
  version = 0;
  private readonly session: CdpSession;
  private readonly tools = new Map<string, Tool>();
  private readonly answers = new Map<string, (answer: z.infer<typeof responded>) => void>();
  /** A tool may answer before the confirmation of its call. */
  private early: z.infer<typeof responded> | null = null;

  constructor(session: CdpSession) {
    this.session = session;
    session.on('WebMCP.toolsAdded', ({ tools }) => {
      for (const added of z.array(z.unknown()).catch([]).parse(tools)) {
        const { data } = tool.safeParse(added);
        if (data && this.tools.size < MAX_TOOLS && JSON.stringify(data).length <= MAX_TOOL_TEXT)
          this.tools.set(keyOf(data), data);
      }
      this.version++;
    });
    session.on('WebMCP.toolsRemoved', ({ tools }) => {
      for (const removed of z.array(named).catch([]).parse(tools)) this.tools.delete(keyOf(removed));
      this.version++;
    });
    session.on('WebMCP.toolResponded', (params) => {
      const { data } = responded.safeParse(params);
      const waiting = data && this.answers.get(data.invocationId);
      if (waiting) waiting(data);
      else this.early = data ?? null;
    });
  }

  /** Browsers without support refuse the call: then there are no tools. */
  async start(): Promise<void> {
    // The trace has the failed call.
    await this.session.send('WebMCP.enable').catch(() => undefined);
  }

  actions(): RawAction[] {
    return [...this.tools].map(([key, { name, description, inputSchema, annotations }]) => ({
      binding: `${TOOLS}|${key}`,
      name: name.replace(/[^\w$]+/g, '_'),
      description: `${description.slice(0, MAX_TEXT)} (a tool that the page offers)`,
      parameters: parametersOf(inputSchema),
      returns: 'unknown',
      // The page itself claims that it only reads.
      effect: annotations?.readOnly ? 'setter' : 'unknown',
    }));
  }

  async invoke(key: string, args: ActionArguments, signal: AbortSignal, limitMs: number): Promise<ActionOutcome> {
    const found = this.tools.get(key);
    if (!found) throw new NotDispatchedError('The page does not offer this tool any more.');
    const { name } = found;
    signal.throwIfAborted();
    const params = { frameId: found.frameId, toolName: name, input: args };
    const invocationId = neededId((await this.session.send('WebMCP.invokeTool', params)).invocationId);
    const answer = await this.answerTo(invocationId, signal, limitMs);
    if (answer === null) {
      // The trace has the failed call. The action is reported as unanswered in any case.
      await this.session.send('WebMCP.cancelInvocation', { invocationId }).catch(() => undefined);
      return outcome(false, `${name} did not answer in time; the page may wait for a person to confirm.`);
    }
    const text = typeof answer.output === 'string' ? answer.output : (JSON.stringify(answer.output) ?? '');
    const quoted = text.slice(0, MAX_TEXT);
    if (answer.status === 'Completed') return { ...outcome(true, `${name} returned ${quoted}`), quoted };
    return outcome(false, `${name} failed: ${(answer.errorText ?? answer.status).slice(0, MAX_TEXT)}`);
  }

  private answerTo(
    invocationId: string,
    signal: AbortSignal,
    limitMs: number,
  ): Promise<z.infer<typeof responded> | null> {
    return new Promise((resolve) => {
      const end = (answer: z.infer<typeof responded> | null) => {
        clearTimeout(timer);
        this.answers.delete(invocationId);
        resolve(answer);
      };
      const timer = setTimeout(end, limitMs, null);
      if (this.early?.invocationId === invocationId) return end(this.early);
      signal.addEventListener('abort', () => end(null), { once: true });
      this.answers.set(invocationId, end);
    });
  }
}

function keyOf({ name, frameId }: z.infer<typeof named>): string {
  return `${frameId} ${name}`;
}

function parametersOf(schema: Tool['inputSchema']): RawParameter[] {
  return Object.entries(schema?.properties ?? {})
    .slice(0, MAX_PARAMETERS)
    .map(([name, { type, description, enum: options }]) => {
      const choice = options
        ? `one of ${options
            .slice(0, MAX_OPTIONS)
            .map((option) => JSON.stringify(option))
            .join(', ')}`
        : undefined;
      const notes = [description, choice].filter((note) => note !== undefined).join('; ');
      return {
        name,
        type: (typeof type === 'string' ? TYPES[type] : undefined) ?? null,
        required: schema?.required?.includes(name) ?? false,
        ...(notes === '' ? {} : { description: notes.slice(0, MAX_TEXT) }),
      };
    });
}

function outcome(ok: boolean, message: string): ActionOutcome {
  return { ok, message, rawReturn: null, invocationContext: null };
}
