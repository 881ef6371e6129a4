/** Keeps the view of the document up to date, in slices: from its nodes to the screen and its actions. */
import type { ControlMemory } from './actions/control-memory.ts';
import { type ActionList, listActions } from './actions/page-actions.ts';
import { readDataDocument } from './data/data-document.ts';
import { dataKind, isLoading } from './data/document-kind.ts';
import { rootElement } from './nodes.ts';
import { PageWalk } from './page-walk.ts';
import { type Data, Screen } from './screen.ts';
import { readScreen } from './screen-reader.ts';
import type { SemanticNode } from './semantic-node.ts';
import type { MutationWatch } from './watch/mutation-watch.ts';

const NO_ACTIONS: ActionList = { actions: [], targets: new Map() };

export class DocumentReader {
  screen = new Screen();
  actions = NO_ACTIONS;
  /** The actions of the last report: the daemon refers to them by their index. */
  reported = NO_ACTIONS;
  /** Share of the document that was read. */
  coverage = 1;
  private readonly watch: MutationWatch;
  private readonly walk: PageWalk;
  private readonly maxKeys: number;
  /** It is a text, not a page, and is read once it is complete. */
  private readonly isData: boolean;
  private hasData = false;
  private isWalking = false;
  private reading: ReturnType<typeof readAll> | null = null;

  constructor(watch: MutationWatch, maxKeys: number) {
    this.watch = watch;
    this.maxKeys = maxKeys;
    this.isData = dataKind() !== null;
    this.walk = new PageWalk({
      onShadow: (root) => watch.observeShadow(root),
      onCustomElement: (element) => watch.noteCustomElement(element),
      onStyled: (element) => watch.noteStyled(element),
      onChosen: (element) => watch.noteChosen(element),
      isShown: (element) => watch.isShown(element),
      isTextShown: (element) => watch.isTextShown(element),
      isEmptyBox: (element) => watch.boxes.isEmpty(element),
    });
  }

  /** Reads changed parts again, until `deadline`. */
  refresh(deadline: number): 'unchanged' | 'changed' | 'unfinished' {
    if (this.isData) return this.refreshData();
    if (!this.isWalking && !this.start()) return 'unchanged';
    if (!this.reading) {
      const tree = this.walk.run(deadline);
      if (!tree) return 'unfinished';
      this.reading = readAll(tree, this.watch.controls);
    }
    const read = runUntil(this.reading, deadline);
    if (!read) return 'unfinished';
    this.reading = null;
    this.isWalking = false;
    this.screen = read.screen;
    this.watch.view.watch(read.screen.rows);
    this.actions = read.actions;
    this.coverage = this.walk.isCut ? Math.min(1, this.walk.visited / document.getElementsByTagName('*').length) : 1;
    return 'changed';
  }

  /** The entries in view of lists that are partly scrolled away. */
  get inView(): Data {
    return this.watch.view.told();
  }

  private refreshData(): 'unchanged' | 'changed' {
    if (this.hasData || isLoading()) return 'unchanged';
    this.hasData = true;
    this.screen = readDataDocument(this.maxKeys);
    return 'changed';
  }

  forget(): void {
    this.hasData = false;
    this.walk.forgetAll();
    this.reading = null;
    this.isWalking = false;
    this.screen = new Screen();
    this.actions = NO_ACTIONS;
    this.reported = NO_ACTIONS;
  }

  /** Returns false if there is nothing to read again. */
  private start(): boolean {
    const places = this.watch.takePlaces();
    const root = rootElement();
    if (places?.size === 0 || !root) return false;
    const seen = new Set<Node>();
    if (places) for (const place of places) this.walk.forget(place, seen);
    else this.walk.forgetAll();
    this.walk.start(root);
    this.isWalking = true;
    return true;
  }
}

function* readAll(
  tree: SemanticNode,
  controls: ControlMemory,
): Generator<void, { screen: Screen; actions: ActionList }, void> {
  const screen = yield* readScreen(tree);
  yield;
  return { screen, actions: yield* listActions(screen, controls) };
}

/** Null if there was no time to finish. */
function runUntil<Result>(work: Generator<void, Result, void>, deadline: number): Result | null {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() > deadline) return null;
  }
}
