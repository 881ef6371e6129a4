/** A few leaves that the daemon itself knows (tabs, an open dialog), reported like those of an agent. */
import type { LeafUpdate } from '../../model/leaves.ts';
import type { Scalar } from '../../model/scalar.ts';

export class FlatSource {
  private known = new Map<string, { slot: number; value: Scalar }>();
  private nextSlot = 0;

  full(leaves: ReadonlyMap<string, Scalar>): Extract<LeafUpdate, { kind: 'full' }> {
    this.known = new Map([...leaves].map(([path, value], slot) => [path, { slot, value }]));
    this.nextSlot = leaves.size;
    return { kind: 'full', paths: [...leaves.keys()], values: [...leaves.values()] };
  }

  update(leaves: ReadonlyMap<string, Scalar>): Exclude<LeafUpdate, { kind: 'full' }> {
    const removed: number[] = [];
    const added: [number, string, Scalar][] = [];
    const changed: [number, Scalar][] = [];
    for (const [path, { slot }] of this.known) {
      if (leaves.has(path)) continue;
      removed.push(slot);
      this.known.delete(path);
    }
    for (const [path, value] of leaves) {
      const known = this.known.get(path);
      if (!known) {
        this.known.set(path, { slot: this.nextSlot, value });
        added.push([this.nextSlot++, path, value]);
      } else if (!Object.is(known.value, value)) {
        known.value = value;
        changed.push([known.slot, value]);
      }
    }
    if (removed.length + added.length + changed.length === 0) return { kind: 'same' };
    return { kind: 'delta', changed, added, removed };
  }
}
