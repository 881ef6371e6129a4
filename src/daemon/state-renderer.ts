/** The answers to reads of one app as bytes: the whole state, or the part of it that globs select. */
import { inSlices, type SliceOptions } from '../model/in-slices.ts';
import type { UnmatchedGlob } from '../model/unmatched-globs.ts';
import type { Engine } from '../semantic/engine.ts';
import { PartialStates } from './partial-state.ts';
import type { JsonBytes } from './service.ts';
import { renderState, type SnapshotHead, type SnapshotOwner } from './snapshot.ts';
import { StateText } from './state-text.ts';

export interface RenderedOwner extends SnapshotOwner {
  readonly engine: Engine;
  requireHead(): SnapshotHead;
}

export class StateRenderer {
  /** The JSON text of the app's actions. */
  actions = Buffer.from('{}');
  private readonly owner: RenderedOwner;
  private readonly text: StateText;
  private readonly parts: PartialStates<SnapshotHead>;
  /** The answer to a cached read of this snapshot, kept until the next one. */
  private kept: { readonly head: SnapshotHead; readonly bytes: JsonBytes } | null = null;

  constructor(owner: RenderedOwner) {
    this.owner = owner;
    const { engine } = owner;
    this.text = new StateText(engine.table, {
      get version() {
        return engine.salience.shownVersion;
      },
      isShown: (slot) => engine.isSlotShown(slot),
      rank: (slot) => engine.rankOfSlot(slot),
    });
    const source = { table: engine.table, keyList: () => engine.keyList(), head: () => owner.requireHead() };
    this.parts = new PartialStates(source);
  }

  whole(head: SnapshotHead, fromCache: boolean): JsonBytes {
    if (!fromCache) return renderState(this.owner, head, this.text.bytes(), this.actions, false);
    const bytes = this.keptFor(head) ?? renderState(this.owner, head, this.text.bytes(), this.actions, true);
    this.kept = { head, bytes };
    return bytes;
  }

  /** The last answer to a cached read; null if it belongs to an earlier snapshot. */
  keptFor(head: SnapshotHead | null): JsonBytes | null {
    return this.kept !== null && this.kept.head === head ? this.kept.bytes : null;
  }

  /** The keys that globs (separated by commas) select. The function renders them once they are ready. */
  async part(globs: string, slices: SliceOptions): Promise<(head: SnapshotHead, fromCache: boolean) => JsonBytes> {
    const part = this.parts.of(globs);
    await inSlices(part.preparing(), slices);
    return (head, fromCache) => renderState(this.owner, head, [part.bytes()], this.actions, fromCache, part.unmatched);
  }

  /** Globs that match no key at the moment. */
  async unmatched(globs: string, slices: SliceOptions): Promise<readonly UnmatchedGlob[]> {
    const part = this.parts.of(globs);
    await inSlices(part.preparing(), slices);
    return part.unmatched;
  }

  /** Prepares the bytes, so that taking them is cheap. */
  renderAhead(slices?: SliceOptions): Promise<void> {
    return inSlices(this.text.renewing(), slices);
  }

  clear(): void {
    this.kept = null;
    this.parts.clear();
    this.text.clear();
  }
}
