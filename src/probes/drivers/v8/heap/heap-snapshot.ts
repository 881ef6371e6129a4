/**
 * Reads V8's heap snapshot as a stream. It is one JSON document, far too large to be kept as text or as objects:
 *
 * {"snapshot":{"meta":{…},"node_count":n,"edge_count":m,…},"nodes":[…],"edges":[…],…,"strings":["…",…]}
 *
 * Nodes and edges are numbers, as many per record as `meta` has names; they go into typed arrays. Only the beginning of
 * each string is kept, because strings are only needed as names.
 */
import * as z from 'zod';

const head = z.object({
  snapshot: z.object({
    meta: z.object({
      node_fields: z.array(z.string()),
      node_types: z.tuple([z.array(z.string())]).rest(z.unknown()),
      edge_fields: z.array(z.string()),
      edge_types: z.tuple([z.array(z.string())]).rest(z.unknown()),
    }),
    node_count: z.number().int().min(0),
    edge_count: z.number().int().min(0),
  }),
});

const MAX_HEAD = 100_000;
const MAX_NAME = 120;
/** Four bytes each. */
const MAX_NUMBERS = 100_000_000;
const MAX_STRINGS = 5_000_000;
const [QUOTE, BACKSLASH, BRACKET, ZERO, NINE] = [34, 92, 93, 48, 57] as const;

export interface HeapGraph {
  readonly nodes: Uint32Array;
  readonly edges: Uint32Array;
  readonly strings: readonly string[];
  readonly nodeFields: readonly string[];
  readonly nodeTypes: readonly string[];
  readonly edgeFields: readonly string[];
  readonly edgeTypes: readonly string[];
}

type Phase = 'head' | 'nodes' | 'to edges' | 'edges' | 'to strings' | 'strings' | 'end';

export class HeapSnapshotReader {
  private phase: Phase = 'head';
  /** Text that may contain the beginning of a mark. */
  private rest = '';
  private meta: z.infer<typeof head>['snapshot'] | null = null;
  private nodes = new Uint32Array(0);
  private edges = new Uint32Array(0);
  private filled = 0;
  private number = -1;
  private readonly strings: string[] = [];
  /** Null between two strings. */
  private text: string | null = null;
  private escape = '';

  push(chunk: string): void {
    let at = 0;
    while (at < chunk.length && this.phase !== 'end') {
      if (this.phase === 'head') at = this.seek(chunk, at, '"nodes":[', 'nodes');
      else if (this.phase === 'to edges') at = this.seek(chunk, at, '"edges":[', 'edges');
      else if (this.phase === 'to strings') at = this.seek(chunk, at, '"strings":[', 'strings');
      else if (this.phase === 'nodes') at = this.readNumbers(chunk, at, this.nodes, 'to edges');
      else if (this.phase === 'edges') at = this.readNumbers(chunk, at, this.edges, 'to strings');
      else at = this.readStrings(chunk, at);
    }
  }

  finish(): HeapGraph {
    if (this.phase !== 'end' || !this.meta) throw new Error('the heap snapshot is not complete');
    const { node_fields, node_types, edge_fields, edge_types } = this.meta.meta;
    return {
      nodes: this.nodes,
      edges: this.edges,
      strings: this.strings,
      nodeFields: node_fields,
      nodeTypes: node_types[0],
      edgeFields: edge_fields,
      edgeTypes: edge_types[0],
    };
  }

  /** Consumes everything up to `mark`, which may be split by the end of a chunk. */
  private seek(chunk: string, from: number, mark: string, next: Phase): number {
    const text = this.rest + chunk.slice(from);
    const found = text.indexOf(mark);
    if (found < 0) {
      if (this.phase === 'head' && text.length > MAX_HEAD) throw new Error('this is no heap snapshot');
      this.rest = this.phase === 'head' ? text : text.slice(-mark.length);
      return chunk.length;
    }
    if (this.phase === 'head') this.readHead(text.slice(0, found));
    const before = this.rest.length;
    this.rest = '';
    this.phase = next;
    this.filled = 0;
    return from + found + mark.length - before;
  }

  private readHead(text: string): void {
    this.meta = head.parse(JSON.parse(`${text.trimEnd().replace(/,$/, '')}}`)).snapshot;
    const { meta, node_count, edge_count } = this.meta;
    const sizes = [node_count * meta.node_fields.length, edge_count * meta.edge_fields.length] as const;
    if (sizes[0] + sizes[1] > MAX_NUMBERS) throw new Error('the heap is too large to be looked through');
    this.nodes = new Uint32Array(sizes[0]);
    this.edges = new Uint32Array(sizes[1]);
  }

  private readNumbers(chunk: string, from: number, into: Uint32Array, next: Phase): number {
    for (let at = from; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code >= ZERO && code <= NINE) {
        this.number = (this.number < 0 ? 0 : this.number * 10) + code - ZERO;
        continue;
      }
      if (this.number >= 0) {
        into[this.filled++] = this.number;
        this.number = -1;
      }
      if (code === BRACKET) {
        if (this.filled !== into.length) throw new Error('the heap snapshot does not hold what its head says');
        this.phase = next;
        return at + 1;
      }
    }
    return chunk.length;
  }

  private readStrings(chunk: string, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.text === null) {
        if (code === QUOTE) this.text = '';
        else if (code === BRACKET) {
          this.phase = 'end';
          return at + 1;
        }
      } else if (this.escape !== '') this.readEscape(chunk[at] ?? '');
      else if (code === BACKSLASH) this.escape = '\\';
      else if (code === QUOTE) {
        if (this.strings.length >= MAX_STRINGS) throw new Error('the heap is too large to be looked through');
        this.strings.push(this.text);
        this.text = null;
      } else {
        const end = endOfPlain(chunk, at);
        this.keep(chunk.slice(at, Math.min(end, at + MAX_NAME)));
        at = end - 1;
      }
    }
    return chunk.length;
  }

  private readEscape(character: string): void {
    this.escape += character;
    if (this.escape[1] === 'u' && this.escape.length < 6) return;
    let text = '';
    try {
      text = String(JSON.parse(`"${this.escape}"`));
    } catch {
      // Not an escape of JSON.
    }
    this.escape = '';
    this.keep(text);
  }

  private keep(text: string): void {
    if (this.text !== null && this.text.length < MAX_NAME) this.text += text;
  }
}

/** The index of the next quote or backslash. */
function endOfPlain(chunk: string, from: number): number {
  let at = from;
  for (; at < chunk.length; at++) {
    const code = chunk.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH) break;
  }
  return at;
}
