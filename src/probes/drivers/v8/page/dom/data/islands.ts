/** Data that the page contains as JSON text. */

import type { SemanticNode } from '../semantic-node.ts';
import { boundData, parseJson } from './bounded-data.ts';

interface Parsed {
  readonly value: object;
  readonly leftOut: number;
}

/** By their text, so that each is parsed once. */
const parsed = new Map<string, Parsed | null>();
const MAX_REMEMBERED = 50;

/** Null if it is no object or list. */
export function islandData(text: string): Parsed | null {
  let known = parsed.get(text);
  if (known === undefined) {
    known = parseData(text);
    if (parsed.size >= MAX_REMEMBERED) parsed.clear();
    parsed.set(text, known);
  }
  return known;
}

export function parseData(text: string): Parsed | null {
  const data = parseJson(text);
  if (typeof data !== 'object' || data === null) return null;
  const { value, leftOut } = boundData(data);
  return typeof value === 'object' && value !== null ? { value, leftOut } : null;
}

/** By node and not by text: two that say the same are two. */
const listings = new WeakMap<SemanticNode, ReturnType<typeof parseData>>();

export function listingData(node: SemanticNode): ReturnType<typeof parseData> {
  const known = listings.get(node);
  if (known !== undefined) return known;
  const data = /^\s*[[{]/.test(node.text) ? parseData(node.text) : null;
  listings.set(node, data);
  return data;
}
