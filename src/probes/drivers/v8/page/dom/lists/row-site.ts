/** The place of a table row or list item on the screen. */
import { NameAllocator } from '../../../../../insight/name-allocator.ts';
import type { Data, RowSite } from '../screen.ts';
import type { SemanticNode } from '../semantic-node.ts';

export function rowSite(label: string, text = label, record: Data = {}, columns: readonly string[] = []): RowSite {
  let names: NameAllocator | null = null;
  return {
    label,
    text,
    record,
    columns,
    // Most rows have no fields.
    get names() {
      names ??= new NameAllocator();
      return names;
    },
  };
}

export function rowLabel({ cells }: SemanticNode): string {
  return cells.find((cell) => /[A-Za-z\u00aa-\uffff]/.test(cell)) ?? cells.find((cell) => cell !== '') ?? '';
}
