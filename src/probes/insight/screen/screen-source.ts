/** Follows the windows of one program: takes what the agent reports, and keeps what it means until the next report. */
import type { NameMemory } from '../name-allocator.ts';
import { NO_SCREEN, readScreen, type Screen } from './screen.ts';
import type { ScreenUpdate } from './screen-facts.ts';
import { WidgetTree } from './widget-tree.ts';

/** More names of components that are not shown are not kept. */
const MAX_NAMES = 20_000;

export class ScreenSource {
  private readonly tree = new WidgetTree();
  private readonly memory: NameMemory = new Map();
  screen: Screen = NO_SCREEN;

  /** Costs what the windows hold; called only when something in them has changed. */
  apply(update: ScreenUpdate): void {
    this.tree.apply(update);
    this.screen = readScreen(this.tree.windows(), update.toolkit, this.memory);
    if (this.memory.size > MAX_NAMES)
      for (const id of this.memory.keys()) if (!this.tree.has(id)) this.memory.delete(id);
  }
}
