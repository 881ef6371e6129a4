/** substrate's tools, over stdio as a client starts them. */
import { setTimeout as delay } from 'node:timers/promises';
import { McpClient } from '../peers/mcp-client.ts';
import { Counter, type Deed, type Hands, type Outcome, type Page } from './hands.ts';
import { namedLike } from './script.ts';
import type { Line, Question } from './words.ts';

const WAIT_MS = 15_000;
const POLLS = 6;
const POLL_MS = 2000;
const PROOF = 'context.url !== undefined';
const MAX_GLOBS = 16;
const MAX_PLACES = 4;

export async function openSubstrate(binary: string, url: string, key: string): Promise<SubstrateHands> {
  return new SubstrateHands(await McpClient.start(binary, ['mcp', '--url', url], { SUBSTRATE_KEY: key }));
}

export class SubstrateHands implements Hands {
  readonly counter: Counter;
  private readonly client: McpClient;
  private readonly needProof = new Set<string>();
  /** Parameters that take a number, behind their action. */
  private readonly numbers = new Set<string>();
  /** Globs: the same ones would give the same. */
  private readonly asked = new Set<string>();
  private app: number | null = null;
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
    const app = await this.theApp();
    const globs = again ? { globs: globsFor(quoted.length > 0 ? quoted : plain) } : {};
    const { text } = await this.counter.call('list_actions', { app, ...globs });
    return dataLines(text).flatMap((line) => this.offerLine(line) ?? []);
  }

  async act({ handle, parameters: names = [] }: Line, { settings }: Deed): Promise<Outcome> {
    const action = handle ?? '';
    const [first] = names;
    const parameters =
      settings.length === 1 && names.length === 1 && first !== undefined
        ? { [first]: this.typed(action, first, settings[0]?.value ?? '') }
        : Object.fromEntries(
            settings.map(({ name, value }) => {
              const parameter = namedLike(name, names) ?? name;
              return [parameter, this.typed(action, parameter, value)];
            }),
          );
    // The agent cannot know beforehand what will be true, but it has to say something.
    const proof = this.needProof.has(action) ? { verify: PROOF } : {};
    this.asked.clear();
    const { text, isError } = await this.counter.call('run_action', {
      app: await this.theApp(),
      action,
      parameters,
      ...proof,
    });
    return { ok: !isError, text };
  }

  async waitFor(text: string, near: Line | null): Promise<boolean> {
    const app = await this.theApp();
    if (near?.handle) {
      const expression = `String(state[${JSON.stringify(near.handle)}]).includes(${JSON.stringify(text)})`;
      const waited = await this.counter.call('wait_for', { app, expression, timeout_ms: WAIT_MS });
      if (/^True/.test(waited.text)) return true;
    }
    for (let poll = 0; poll < POLLS; poll++) {
      await delay(POLL_MS);
      const changes = await this.counter.call('read_changes', { app, since: this.captureId });
      if (changes.text.toLowerCase().includes(text.toLowerCase())) return true;
    }
    return false;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async read(args: object): Promise<Page> {
    const { text } = await this.counter.call('read_state', { app: await this.theApp(), ...args });
    this.captureId ??= /capture_id ([\w-]+)/.exec(text)?.[1] ?? null;
    return dataLines(text).map(stateLine);
  }

  /** The one whose state can be read. */
  private async theApp(): Promise<number> {
    if (this.app === null) {
      const { text } = await this.counter.call('list_apps');
      const line = dataLines(text).find((app) => /\bactive\b/.test(app)) ?? '';
      this.app = Number(/^\d+/.exec(line)?.[0] ?? 0);
    }
    return this.app;
  }

  private typed(action: string, parameter: string, value: string): unknown {
    return this.numbers.has(`${action} ${parameter}`) ? Number(value) : value;
  }

  private offerLine(text: string): Line | null {
    const [, name, parameters = ''] = /^(\S+?)\((.*?)\)/.exec(text) ?? [];
    if (name === undefined) return null;
    const names = [...parameters.matchAll(/(\w+)\??:/g)].flatMap(([, parameter]) => parameter ?? []);
    for (const [, parameter] of parameters.matchAll(/(\w+)\??: number/g)) this.numbers.add(`${name} ${parameter}`);
    if (/\birreversible_write\b/.test(text)) this.needProof.add(name);
    return {
      text,
      says: text,
      path: [name],
      handle: name,
      kind: names.length > 0 ? 'field' : 'offer',
      parameters: names,
    };
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

/** Keys that have a word, however it is written. */
function globsFor(texts: readonly string[]): string[] {
  const words = [...new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? []))];
  return words
    .flatMap((word) => [`**.*${word}*`, `**.*${word[0]?.toUpperCase()}${word.slice(1)}*`])
    .slice(0, MAX_GLOBS);
}
