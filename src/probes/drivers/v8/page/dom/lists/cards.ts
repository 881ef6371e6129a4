/** Parts of a page that are separate items, each under its heading. */
import type { SemanticNode } from '../semantic-node.ts';

const SMALL_PART = 200;

/** Text before the only heading of a small part belongs to it as well. */
export function ownTitle({ title, size }: SemanticNode): string {
  return size <= SMALL_PART ? title : '';
}

/** If two or more parts begin with headings of one level, each is a separate item with its own heading. */
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
