/** The frames of one renderer in a page: the main frame and those of its site, or an embedded one of another site. */
import * as z from 'zod';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { type Frame, FrameAgents, type PageLimits } from './frame-agents.ts';

interface FrameNode {
  readonly frame: { readonly id: string; readonly url: string; readonly name?: string | undefined };
  readonly childFrames?: readonly FrameNode[] | undefined;
}

const frameNode: z.ZodType<FrameNode> = z.lazy(() =>
  z.object({
    frame: z.object({ id: z.string(), url: z.string(), name: z.string().optional() }),
    childFrames: z.array(frameNode).optional(),
  }),
);
const frameTree = z.object({ frameTree: frameNode });
const context = z.object({
  context: z.object({ id: z.number(), auxData: z.object({ frameId: z.string(), isDefault: z.boolean() }) }),
});

const described = z.object({ node: z.object({ attributes: z.array(z.string()) }) });

/** In the order of their use as names. */
const OWNER_NAMES = ['name', 'id', 'aria-label', 'title'];
const MAX_NAME = 40;
/** More frames are advertisements. */
const MAX_FRAMES = 10;
/** The browser shows this if a page could not be loaded. */
const ERROR_PAGE = /^chrome-error:/;
/** A frame that a script fills by itself, such as an editor, does not count as empty. */
const EMPTY_DOCUMENT = /^(?:about:(?!srcdoc)|$)/;

export class FrameHost {
  readonly session: CdpSession;
  /** The session with the element of this host's first frame; null for the page itself. */
  private readonly parent: CdpSession | null;
  private readonly limits: PageLimits;
  private agents: FrameAgents[] = [];
  private stale = true;
  private reading: Promise<void> | null = null;

  constructor(session: CdpSession, parent: CdpSession | null, limits: PageLimits) {
    this.session = session;
    this.parent = parent;
    this.limits = limits;
    const forget = () => {
      this.stale = true;
    };
    for (const event of ['Page.frameAttached', 'Page.frameNavigated', 'Page.frameDetached']) session.on(event, forget);
  }

  /** Its current frames, each with its existing agents, under names that are not in `taken` yet. */
  async frames(taken: Set<string>): Promise<readonly FrameAgents[]> {
    if (this.stale) {
      this.reading ??= this.readFrames(taken).finally(() => {
        this.reading = null;
      });
      await this.reading;
    }
    // A name that was taken meanwhile must not be used twice: two sources would write the same keys.
    const own = this.agents.filter(({ frame }) => take(frame.labelPrefix, taken));
    // It gets another name next time.
    if (own.length < this.agents.length) this.stale = true;
    return own;
  }

  private async readFrames(others: ReadonlySet<string>): Promise<void> {
    this.stale = false;
    const { frameTree: tree } = frameTree.parse(await this.session.send('Page.getFrameTree'));
    const isFailure = ERROR_PAGE.test(tree.frame.url);
    const nodes = isFailure ? [] : flatten(tree).filter(({ frame }, at) => at === 0 || !EMPTY_DOCUMENT.test(frame.url));
    const contexts = nodes.length > 1 ? await this.contexts() : new Map<string, number>();
    const known = new Map(this.agents.map((agents) => [keyOf(agents.frame), agents]));
    const taken = new Set(others);
    const agents: FrameAgents[] = [];
    for (const [at, { frame }] of nodes.slice(0, MAX_FRAMES).entries()) {
      const contextId = at === 0 ? null : contexts.get(frame.id);
      // Not loaded yet: an event will follow.
      if (contextId === undefined) continue;
      const owner = at === 0 ? this.parent : this.session;
      const name = owner && (await nameOf(frame, owner));
      const described = describe(frame, contextId, name, taken);
      agents.push(known.get(keyOf(described)) ?? new FrameAgents(this.session, described, this.limits));
    }
    this.agents = agents;
  }

  forgetFrames(): void {
    this.stale = true;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.agents.map((agents) => agents.dispose()));
  }

  /** The page's own world in each frame. Requested once, because it causes many events. */
  private async contexts(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const stop = this.session.on('Runtime.executionContextCreated', (params) => {
      const { data } = context.safeParse(params);
      if (data?.context.auxData.isDefault) found.set(data.context.auxData.frameId, data.context.id);
    });
    await this.session.send('Runtime.enable');
    stop();
    await this.session.send('Runtime.disable');
    return found;
  }
}

function flatten(node: FrameNode): FrameNode[] {
  return [node, ...(node.childFrames ?? []).flatMap(flatten)];
}

function keyOf({ id, contextId, rootPrefix }: Frame): string {
  return `${id} ${contextId} ${rootPrefix}`;
}

/** The name of a frame in the page: from its element, or else its address. */
async function nameOf({ id, url, name }: FrameNode['frame'], owner: CdpSession): Promise<string> {
  // The trace has the failed call. The frame is named by its address.
  const attributes = await ownerAttributes(id, owner).catch(() => new Map<string, string>());
  const texts = [name, ...OWNER_NAMES.map((attribute) => attributes.get(attribute)), lastSegment(url), siteName(url)];
  const names = texts.map((text) => frameName(text ?? ''));
  return names.find((text) => text !== '') ?? 'frame';
}

/** A name generated by a script would differ at each load. */
function frameName(text: string): string {
  if (/\d{3}|[0-9a-f]{8}/i.test(text)) return '';
  const name = identifier(text.slice(0, MAX_NAME));
  return /\s/.test(text) ? name.toLowerCase() : name;
}

async function ownerAttributes(frameId: string, owner: CdpSession): Promise<Map<string, string>> {
  const { backendNodeId } = await owner.send('DOM.getFrameOwner', { frameId });
  const { node } = described.parse(await owner.send('DOM.describeNode', { backendNodeId }));
  const { attributes } = node;
  return new Map(attributes.flatMap((name, at) => (at % 2 === 0 ? [[name, attributes[at + 1] ?? ''] as const] : [])));
}

/** `name` is null for the page's main frame. */
function describe(
  { id, url }: FrameNode['frame'],
  contextId: number | null,
  name: string | null,
  taken: Set<string>,
): Frame {
  const site = siteName(url);
  if (name === null) return { id, contextId, rootPrefix: site, labelPrefix: '' };
  let own = name;
  for (let number = 2; !take(`frames.${own}`, taken); number++) own = `${name}_${number}`;
  return { id, contextId, rootPrefix: `${site}__${own}`, labelPrefix: `frames.${own}` };
}

/** Returns true if it was free. */
function take(name: string, taken: Set<string>): boolean {
  const isFree = !taken.has(name);
  taken.add(name);
  return isFree;
}

/** `https://shop.example:8443/cart` -> `shop_example_8443`, which all keys of one site have in common. */
function siteName(url: string): string {
  try {
    const { host, protocol } = new URL(url);
    return identifier(host === '' ? protocol : host) || 'page';
  } catch {
    // An invalid address names no site.
    return 'page';
  }
}

function lastSegment(url: string): string {
  return URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '').replace(/\.\w+$/, '') : '';
}

function identifier(text: string): string {
  const words = text.replace(/[^A-Za-z\d]+/g, '_').replace(/^_+|_+$/g, '');
  return /^\d/.test(words) ? `_${words}` : words;
}
