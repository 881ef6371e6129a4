/** substrate's tools, over stdio as a client starts them. */
import { McpClient } from '../peers/mcp-client.ts';
import { Counter, type Deed, type Hands, type Outcome, type Page } from './hands.ts';
import { namedLike } from './script.ts';
import type { Line, Question } from './words.ts';

const WAIT_MS = 15_000;
const PROOF = 'context.url !== undefined';
const MAX_GLOBS = 16;
const MAX_PLACES = 4;
/** A click that can be doubled. */
const TWICE = 'twice';
/** Separates an action and one of its choices. */
const CHOSEN = ' = ';

export async function openSubstrate(binary: string, url: string, key: string): Promise<SubstrateHands> {
  return new SubstrateHands(await McpClient.start(binary, ['mcp', '--url', url], { SUBSTRATE_KEY: key }));
}

/** An unjudged action may turn out to be harmless, and a proof does no harm then. */
const NEEDS_PROOF = /\b(?:irreversible_write|not judged yet)\b/;

export class SubstrateHands implements Hands {
  readonly counter: Counter;
  private readonly client: McpClient;
  private readonly needProof = new Set<string>();
  /** Parameters that take a number or a boolean, by action. */
  private readonly numbers = new Set<string>();
  private readonly booleans = new Set<string>();
  /** Globs that were already used: the same ones would give the same answer. */
  private readonly asked = new Set<string>();
  /** Actions that accept a double click. */
  private readonly twice = new Set<string>();
  private app: number | null = null;
  /** The app of these answers. */
  private named: string | null = null;
  private captureId: string | null = null;

  constructor(client: McpClient) {
    this.client = client;
    this.counter = new Counter(client);
  }

  async look(): Promise<Page> {
    return this.read({ fresh: true });
  }

  async narrow({ plain }: Question, groups: readonly Line[]): Promise<Page | null> {
    const places = groups.flatMap(({ handle }) => handle ?? []).slice(0, MAX_PLACES);
    const globs = [...places, ...globsFor(plain)].filter((glob) => !this.asked.has(glob)).slice(0, MAX_GLOBS);
    for (const glob of globs) this.asked.add(glob);
    return globs.length === 0 ? null : this.read({ globs });
  }

  async offers({ quoted, plain }: Question, again: boolean): Promise<Page> {
    const globs = again ? { globs: globsFor(quoted.length > 0 ? quoted : plain) } : {};
    const { text } = await this.call('list_actions', globs);
    return dataLines(text).flatMap((line) => this.offerLines(line));
  }

  async act({ handle, parameters: names = [], choice }: Line, { settings, kind }: Deed): Promise<Outcome> {
    const [action = ''] = (handle ?? '').split(CHOSEN);
    const [first] = names;
    const values = choice === undefined ? settings : [{ name: first ?? '', value: choice }];
    const parameters: Record<string, unknown> =
      values.length === 1 && names.length === 1 && first !== undefined
        ? { [first]: this.typed(action, first, values[0]?.value ?? '') }
        : Object.fromEntries(
            values.map(({ name, value }) => {
              const parameter = namedLike(name, names) ?? name;
              return [parameter, this.typed(action, parameter, value)];
            }),
          );
    if (kind === 'twice' && this.twice.has(action)) parameters[TWICE] = true;
    // The agent cannot know beforehand what will be true, but it has to give an expression.
    const proof = this.needProof.has(action) ? { verify: PROOF } : {};
    this.asked.clear();
    const app = this.app ?? this.named;
    const { text, isError } = await this.call('run_action', {
      ...(app === null ? {} : { app }),
      action,
      parameters,
      ...proof,
    });
    return { ok: !isError, text };
  }

  async waitFor(text: string): Promise<boolean> {
    const since = this.captureId === null ? {} : { since: this.captureId };
    const waited = await this.call('wait_for', { text, ...since, timeout_ms: WAIT_MS });
    return /^Seen/.test(waited.text);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async read(args: object): Promise<Page> {
    const { text } = await this.call('read_state', args);
    this.captureId = /capture_id ([\w-]+)/.exec(text)?.[1] ?? this.captureId;
    return dataLines(text).map(stateLine);
  }

  /** If several apps can be read, one has to be named. */
  private async call(tool: string, args: object): Promise<{ text: string; isError: boolean }> {
    const named = this.app === null ? args : { app: this.app, ...args };
    const answer = await this.counter.call(tool, named);
    const [, pid, name] = /^pid (\d+)|<app-data-\w+ app="([\w.-]+)"/.exec(answer.text) ?? [];
    this.named = pid ?? name ?? this.named;
    if (this.app !== null || !answer.isError || !/^Say which app/.test(answer.text)) return answer;
    this.app = Number(/^\d+/m.exec(dataLines(answer.text).join('\n'))?.[0] ?? 0);
    return this.counter.call(tool, { app: this.app, ...args });
  }

  private typed(action: string, parameter: string, value: string): unknown {
    if (this.booleans.has(`${action} ${parameter}`)) return value === 'true';
    return this.numbers.has(`${action} ${parameter}`) ? Number(value) : value;
  }

  /** `name(parameters)  [kind]  words`, or `[kind] in "area":  name  name(parameters)`. */
  private offerLines(line: string): Line[] {
    const [, kind = '', area = '', names] = /^\[([\w ]+)\](?: in ("[^"]*"):)? {2}(.*)$/.exec(line) ?? [];
    if (names === undefined) return this.offer(line, NEEDS_PROOF.test(line));
    return names.split(/ {2}(?=\S)/).flatMap((name) => {
      // Its name consists of its words.
      const words = /^\w+$/.test(name) ? `  "${name.replaceAll('_', ' ')}"` : '';
      return this.offer(`${name}${words}  ${area}`.trimEnd(), NEEDS_PROOF.test(kind));
    });
  }

  private offer(text: string, needsProof: boolean): Line[] {
    const [, name = '', inner = ''] = /^([^\s(]+)(?:\((.*?)\)(?= {2}| ->|$))?/.exec(text) ?? [];
    if (name === '' || /^\W*more\b/.test(text)) return [];
    const all = [...inner.matchAll(/(?:^|, )(\w+)\??(?=[:,\s]|$)/g)].flatMap(([, parameter]) => parameter ?? []);
    if (all.includes(TWICE)) this.twice.add(name);
    const parameters = all.filter((parameter) => parameter !== TWICE);
    for (const [, parameter] of inner.matchAll(/(\w+)\??: number/g)) this.numbers.add(`${name} ${parameter}`);
    for (const [, parameter] of inner.matchAll(/(\w+)\??: boolean/g)) this.booleans.add(`${name} ${parameter}`);
    if (needsProof) this.needProof.add(name);
    const whole: Line = {
      text,
      says: text,
      path: [name],
      handle: name,
      kind: parameters.length > 0 ? 'field' : 'offer',
      parameters,
    };
    const choices = [...inner.matchAll(/(?:: | \| )("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) =>
      String(JSON.parse(quoted ?? '""')),
    );
    return [
      whole,
      ...choices.map((choice): Line => {
        const says = `${name} "${choice}"`;
        return { ...whole, text: says, says, handle: `${name}${CHOSEN}${choice}`, kind: 'offer', choice };
      }),
    ];
  }
}

const dataLines = (text: string) =>
  [...text.matchAll(/<app-data[^>]*>\n([\s\S]*?)\n<\/app-data[^>]*>/g)].flatMap(([, inner = '']) => inner.split('\n'));

const STEPS = /\["(?:[^"\\]|\\.)*"\]|\[[\d*]+\]|[^.[\]]+/g;

function stateLine(text: string): Line {
  const [, key] = /^((?:[^\s="]|\["(?:[^"\\]|\\.)*"\])+) = /.exec(text) ?? [];
  if (key !== undefined) {
    const path = (key.match(STEPS) ?? []).slice(0, -1);
    return { text, says: text.slice(key.length + 3), path, handle: key, kind: 'value' };
  }
  const [, pattern] = /^(\S.*): \d+ keys?\b/.exec(text) ?? [];
  if (pattern !== undefined)
    return { text, says: '', path: pattern.match(STEPS) ?? [], handle: pattern, kind: 'group' };
  return {
    text,
    says: text,
    path: [],
    handle: null,
    kind: /do not fit|^\(and \d+ more/.test(text) ? 'group' : 'value',
  };
}

/** Keys that contain a word, in any spelling. */
function globsFor(texts: readonly string[]): string[] {
  const words = [...new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? []))];
  return words
    .flatMap((word) => [`**.*${word}*`, `**.*${word[0]?.toUpperCase()}${word.slice(1)}*`])
    .slice(0, MAX_GLOBS);
}
