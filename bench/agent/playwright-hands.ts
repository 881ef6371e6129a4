/** The tools of @playwright/mcp, on a running browser. */
import { fileOfPeer } from '../peers/load.ts';
import { McpClient } from '../peers/mcp-client.ts';
import { Counter, type Deed, type Hands, type Outcome, type Page } from './hands.ts';
import type { Line, Question } from './words.ts';

/** One of its waits ends after some seconds. */
const WAITS = 5;
const FIELD = /^(?:textbox|searchbox|combobox|spinbutton)\b/;
const OFFER = /^(?:button|link|menuitem\w*|tab|option|checkbox|radio|switch|treeitem|slider)\b|\[cursor=pointer\]/;

export async function openPlaywright(debugPort: number, folder: string): Promise<PlaywrightHands> {
  const args = ['--cdp-endpoint', `http://127.0.0.1:${debugPort}`, '--output-dir', folder];
  return new PlaywrightHands(await McpClient.start(fileOfPeer('@playwright/mcp', 'cli.js'), args));
}

export class PlaywrightHands implements Hands {
  readonly counter: Counter;
  private readonly client: McpClient;
  /** While nothing was done, a page is not read twice. */
  private page: Page | null = null;

  constructor(client: McpClient) {
    this.client = client;
    this.counter = new Counter(client);
  }

  async look(): Promise<Page> {
    if (this.page === null) {
      const { text } = await this.counter.call('browser_snapshot');
      this.page = snapshotLines(text);
    }
    return this.page;
  }

  async narrow({ quoted, plain }: Question): Promise<Page | null> {
    // An overview has all of the page.
    if (this.page !== null) return null;
    return this.find(quoted.length > 0 ? quoted : plain);
  }

  async offers({ quoted, plain }: Question, again: boolean): Promise<Page> {
    if (!again || this.page !== null) return this.look();
    return this.find(quoted.length > 0 ? quoted : plain);
  }

  async act({ handle, text: element }: Line, { kind, settings }: Deed): Promise<Outcome> {
    const target = { element: element.trim().slice(0, 100), target: handle };
    const { text, isError } =
      kind === 'set'
        ? await this.counter.call('browser_type', { ...target, text: settings[0]?.value ?? '' })
        : await this.counter.call('browser_click', { ...target, ...(kind === 'twice' ? { doubleClick: true } : {}) });
    const lines = snapshotLines(text);
    this.page = lines.length > 0 ? lines : null;
    return { ok: !isError, text };
  }

  async waitFor(text: string): Promise<boolean> {
    for (let wait = 0; wait < WAITS; wait++) {
      const { isError } = await this.counter.call('browser_wait_for', { text });
      if (!isError) return true;
    }
    return false;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async find(texts: readonly string[]): Promise<Page> {
    const regex = `/${texts.map((text) => text.replace(/[^\p{L}\d ]/gu, '.')).join('|')}/i`;
    const { text } = await this.counter.call('browser_find', { regex });
    return snapshotLines(text);
  }
}

function snapshotLines(text: string): Line[] {
  const lines: Line[] = [];
  const above: { indent: number; step: string; handle: string | null }[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const [, spaces = '', body] = /^(\s*)- (.*)$/.exec(raw) ?? [];
    if (body === undefined || /^(?:Page |Console:|New console|\[Snapshot\])/.test(body)) continue;
    const indent = spaces.length;
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
    const path = above.map(({ step }) => step);
    // A text is clicked at its place.
    const handle = /\[ref=(\w+)\]/.exec(body)?.[1] ?? above.at(-1)?.handle ?? null;
    above.push({ indent, step: String(at), handle });
    const kind = FIELD.test(body) ? 'field' : OFFER.test(body) || body.startsWith('/') ? 'offer' : 'value';
    const text = body.replace(/ \[(?:ref|cursor)=\w+\]/g, '');
    lines.push({ text, says: text.replace(/^[\w/]+|\[[^\]]*\]/g, ''), path, handle, kind });
  }
  return lines.map((line, at) => withName(line, at, lines));
}

/** Without a name of its own it is named by the text in it, or by the text before it at the same place. */
function withName(line: Line, at: number, lines: readonly Line[]): Line {
  if (line.kind !== 'offer' || line.says.trim().replace(/:$/, '') !== '') return line;
  const before = lines[at - 1];
  const depth = line.path.length;
  const end = lines.findIndex(({ path }, place) => place > at && path.length <= depth);
  const inside = lines
    .slice(at + 1, end === -1 ? lines.length : end)
    .find(({ text, says }) => !text.startsWith('/') && /[\p{L}\d]/u.test(says));
  const name = inside ?? (before?.path.length === depth ? before : undefined);
  return { ...line, text: `${line.text} ${name?.says ?? ''}`, says: name?.says ?? '' };
}
