/** Parts of a page that are things of their own, each under its heading. */
import type { SemanticNode } from './semantic-node.ts';

const SMALL_PART = 200;

/** What stands before the only heading of a small part belongs to it as well. */
export function ownTitle({ title, size }: SemanticNode): string {
  return size <= SMALL_PART ? title : '';
}

/** Where two parts or more begin with headings of one level, each is a thing of its own, and its heading is for it alone. */
export function cardLevel({ parts }: SemanticNode): string {
  let level = '';
  for (const { role, heading } of parts) {
    if (role !== 'group' || heading === '') continue;
    if (level === heading) return level;
    level = heading;
  }
  return '';
}

export function isCard({ role, heading }: SemanticNode, level: string): boolean {
  return level !== '' && role === 'group' && heading === level;
}
