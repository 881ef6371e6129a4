/** The view of a state: open branches, search, selection. */

import { Listeners } from '../live/listeners.ts';
import type { LiveApp } from '../live/live-app.ts';
import { inSlices } from '../live/slices.ts';
import { OpenBranches } from './open-branches.ts';
import { rowsOf } from './rows.ts';
import { type Matcher, matcherFor } from './search.ts';
import { KeyTree, type TreeNode } from './tree.ts';

export const RECENT_MS = 30_000;
/** The size that is opened initially. */
const FIRST_ROWS = 40;
const LARGEST_FIRST_BRANCH = 25;

export interface Filter {
  readonly query: string;
  readonly inValues: boolean;
  /** Only changes of the last half minute. */
  readonly recentOnly: boolean;
}
export const NO_FILTER: Filter = { query: '', inValues: false, recentOnly: false };

export class StateBrowser {
  readonly app: LiveApp;
  tree = new KeyTree();
  rows: readonly TreeNode[] = [];
  filter: Filter = NO_FILTER;
  /** Null without a filter. */
  matches: ReadonlySet<TreeNode> | null = null;
  selected: string | null = null;
  /** The tree is being built, or a search runs. */
  isBusy = false;
  private readonly listeners = new Listeners<void>();
  private readonly open = new OpenBranches(false);
  /** During a search all matches are visible. */
  private readonly openInSearch = new OpenBranches(true);
  private matcher: Matcher | null = null;
  /** Sets of matches that are updated with changes: the one on the screen, and one that is being computed. */
  private readonly liveMatches = new Set<Set<TreeNode>>();
  private building: AbortController | null = null;
  private searching: AbortController | null = null;

  constructor(app: LiveApp) {
    this.app = app;
    app.subscribe((keys) => (keys === null ? void this.build() : this.take(keys)));
    if (app.state) void this.build();
  }

  subscribe(listener: () => void): () => void {
    return this.listeners.add(listener);
  }

  isOpen = (node: TreeNode): boolean => this.openBranches.has(node.path);

  setOpen(node: TreeNode, isOpen: boolean): void {
    this.openBranches.set(node.path, isOpen);
    this.list();
  }

  setAllOpen(isOpen: boolean): void {
    this.openBranches.setAll(isOpen);
    this.list();
  }

  /** The branch and everything in it. */
  openBelow(node: TreeNode): void {
    const waiting = [node];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      this.openBranches.set(next.path, true);
      for (const child of next.children) if (child.children.length > 0) waiting.push(child);
    }
    this.list();
  }

  select(path: string | null): void {
    this.selected = path;
    this.listeners.notify();
  }

  /** Opens all ancestors of the key, so that its row exists. */
  reveal(path: string): void {
    for (let at = this.tree.get(path)?.parent; at; at = at.parent) this.openBranches.set(at.path, true);
    this.selected = path;
    this.list();
  }

  async setFilter(filter: Filter): Promise<void> {
    this.filter = filter;
    this.matcher = matcherFor(filter.query, filter.inValues);
    this.openInSearch.setAll(true);
    await this.search();
  }

  /** Recent changes become old: called from time to time while only those are shown. */
  forgetOld(): void {
    if (this.filter.recentOnly) void this.search();
  }

  private async build(): Promise<void> {
    this.building?.abort();
    this.building = new AbortController();
    const { signal } = this.building;
    const tree = new KeyTree();
    this.tree = tree;
    this.matches = null;
    this.isBusy = true;
    let shownAt = performance.now();
    const isDone = await inSlices(
      this.app.values.keys(),
      (key) => tree.add(key),
      signal,
      () => {
        if (performance.now() - shownAt < 200) return;
        shownAt = performance.now();
        this.list();
      },
    );
    if (!isDone) return;
    this.building = null;
    if (this.open.isUntouched) this.openUsefully();
    await this.search();
  }

  private async search(): Promise<void> {
    // A tree that is being built is searched when it is complete.
    if (this.building) return;
    this.searching?.abort();
    this.searching = new AbortController();
    const { signal } = this.searching;
    this.isBusy = true;
    this.listeners.notify();
    if (this.matcher === null && !this.filter.recentOnly) {
      this.liveMatches.clear();
      this.matches = null;
      return this.end();
    }
    const found = new Set<TreeNode>();
    this.liveMatches.add(found);
    const keys = this.filter.recentOnly ? this.app.changes.keys() : this.app.values.keys();
    const isDone = await inSlices(keys, (key) => this.isMatch(key) && add(found, this.tree.get(key)), signal);
    if (!isDone) return void this.liveMatches.delete(found);
    this.liveMatches.clear();
    this.liveMatches.add(found);
    this.matches = found;
    this.end();
  }

  private take(keys: readonly string[]): void {
    const { values } = this.app;
    const now = Date.now();
    const before = this.tree.size;
    const gone = keys.filter((key) => !values.has(key));
    let isOther = gone.length > 0;
    for (const key of gone) {
      const node = this.tree.get(key);
      if (node) for (const matches of this.liveMatches) matches.delete(node);
    }
    this.tree.remove(gone);
    for (const key of keys) {
      if (!values.has(key)) continue;
      const node = this.tree.add(key);
      this.tree.touch(key, now);
      const isMatch = this.liveMatches.size > 0 && this.isMatch(key);
      for (const matches of this.liveMatches) {
        if (matches.has(node) === isMatch) continue;
        isOther = true;
        if (isMatch) matches.add(node);
        else matches.delete(node);
      }
    }
    if (isOther || this.tree.size !== before) this.list();
    else this.listeners.notify();
  }

  private isMatch(key: string): boolean {
    if (this.filter.recentOnly) {
      const change = this.app.changes.get(key);
      if (change === undefined || Date.now() - change.atMs > RECENT_MS) return false;
    }
    return this.matcher === null || this.matcher(key, this.app.values.get(key));
  }

  private get openBranches(): OpenBranches {
    return this.matches === null ? this.open : this.openInSearch;
  }

  /** The first levels, as far as they fit. */
  private openUsefully(): void {
    let rows = this.tree.root.children.length;
    const waiting = [...this.tree.root.children];
    for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
      const { children } = node;
      if (children.length === 0 || children.length > LARGEST_FIRST_BRANCH) continue;
      if (rows + children.length > FIRST_ROWS) return;
      rows += children.length;
      this.open.set(node.path, true);
      waiting.push(...children);
    }
  }

  private end(): void {
    this.isBusy = false;
    this.list();
  }

  private list(): void {
    this.rows = rowsOf(this);
    this.listeners.notify();
  }
}

function add(found: Set<TreeNode>, node: TreeNode | undefined): void {
  if (node) found.add(node);
}
