/** Follows the windows of one program, and keeps their meaning until the next report. */
import type { NameMemory } from '../name-allocator.ts';
import { NO_SCREEN, readScreen, type Screen } from './screen.ts';
import type { ScreenUpdate } from './screen-facts.ts';
import { WidgetTree } from './widget-tree.ts';

/** The limit of names that are kept for hidden components. */
const MAX_NAMES = 20_000;

export class ScreenSource {
  private readonly tree = new WidgetTree();
  private readonly memory: NameMemory = new Map();
  screen: Screen = NO_SCREEN;

  /** The cost grows with the windows; to be called only when something in them has changed. */
  apply(update: ScreenUpdate): void {
    this.tree.apply(update);
    this.screen = readScreen(this.tree.windows(), update.toolkit, this.memory);
    if (this.memory.size > MAX_NAMES)
      for (const id of this.memory.keys()) if (!this.tree.has(id)) this.memory.delete(id);
  }
}
