/** Joins the objects that an agent reads and the meaning of its windows to one capture. */
import { isDeepStrictEqual } from 'node:util';
import type { LeafRoot, LeafUpdate } from '../../../model/leaves.ts';
import type { CodeEffect, RawAction } from '../../../model/raw-action.ts';
import type { ValueTable } from '../../insight/arguments/value-table.ts';
import { BeanActions, type BeanTarget } from '../../insight/beans/bean-actions.ts';
import { beanFacts } from '../../insight/beans/bean-facts.ts';
import type { MethodKey } from '../../insight/methods/method-call.ts';
import { RootCatalog, type RootTraits } from '../../insight/roots/root-catalog.ts';
import type { Screen } from '../../insight/screen/screen.ts';
import { screenUpdate } from '../../insight/screen/screen-facts.ts';
import { ScreenSource } from '../../insight/screen/screen-source.ts';
import { FlatSource } from '../flat-source.ts';
import { LeafMerger } from '../leaf-merger.ts';
import type { CaptureResult } from './agent-protocol.ts';

const WINDOWS = 'windows';
const OBJECTS = 'objects';
const MAX_ACTIONS = 1000;

/** The known methods of the program. */
interface MethodSource {
  readonly actions: readonly RawAction[];
  /** Grows with each judged method. */
  readonly judgedCount: number;
  judgeAlso(methods: readonly MethodKey[]): void;
  worstOf(methods: readonly MethodKey[]): CodeEffect | null;
}

interface Merged {
  readonly leaves: LeafUpdate;
  readonly roots: readonly LeafRoot[] | null;
  readonly actions: readonly RawAction[] | null;
  readonly rawCount: number;
  readonly coverage: number;
}

export class CaptureMerger {
  private readonly windows = new ScreenSource();
  private readonly windowLeaves = new FlatSource();
  private readonly merger: LeafMerger;
  private readonly values: ValueTable;
  /** Once there was a window, room is kept for the next. */
  private hadWindows = false;
  private hasNewScreen = false;
  private hasNewRoots = false;
  readonly objects: RootCatalog;
  /** The actions of management beans. */
  private beans: BeanActions | null = null;
  private beanActions: readonly RawAction[] = [];
  /** The count when the beans were judged last. */
  private judgedCount = 0;
  private methodActions: readonly RawAction[] = [];
  private roots: readonly LeafRoot[] | null = null;
  private actions: readonly RawAction[] | null = null;

  constructor(maxKeys: number, traits: RootTraits, values: ValueTable) {
    this.objects = new RootCatalog(traits);
    this.values = values;
    this.merger = new LeafMerger(maxKeys, (source) => source === WINDOWS && this.hadWindows);
  }

  get screen(): Screen {
    return this.windows.screen;
  }

  /** The number of keys that the agent has to leave to the windows. */
  get reservedKeys(): number {
    return this.merger.reserved;
  }

  /** The target of an action of management beans. */
  beanTarget(binding: string): BeanTarget | undefined {
    return this.beans?.targets.get(binding);
  }

  /** The methods that an action of management beans may run. */
  operationsOf(binding: string): readonly MethodKey[] {
    return this.beans?.methodsOf(binding) ?? [];
  }

  /** True when the next capture should be a full one. */
  get isSparse(): boolean {
    return this.merger.isSparse;
  }

  /**
   * Each window gets its name, also one that has just opened. False if a root has to give up its name, and all leaves
   * are needed once more.
   */
  takeNames({ screen, roots }: Pick<CaptureResult, 'screen' | 'roots'>): boolean {
    if (screen !== null && screen !== undefined) {
      this.windows.apply(screenUpdate.parse(screen));
      this.hasNewScreen = true;
      this.hadWindows ||= this.screen.roots.length > 0;
    }
    this.hasNewRoots ||= roots !== null;
    if (!this.hasNewScreen && !this.hasNewRoots) return true;
    return this.objects.take(roots, new Set(this.screen.roots.map(({ name }) => name)));
  }

  merge(
    leaves: LeafUpdate,
    { beans, rawCount, coverage }: Pick<CaptureResult, 'beans' | 'rawCount' | 'coverage'>,
    methods: MethodSource | null = null,
  ): Merged {
    const hasNewBeans = this.takeBeans(beans, methods);
    const hasNewActions = this.takeMethods(methods) || hasNewBeans;
    const isFull = leaves.kind === 'full';
    const shown = this.screen.leaves.size;
    const seen = rawCount + shown;
    const merged = {
      leaves: this.mergeLeaves(leaves),
      // Computed only if one of the two sides has changed.
      roots: isFull || this.hasNewScreen || this.hasNewRoots ? this.changedRoots(isFull) : null,
      actions: isFull || this.hasNewScreen || hasNewActions ? this.changedActions(isFull) : null,
      rawCount: seen,
      coverage: seen === 0 ? 1 : (coverage * rawCount + shown) / seen,
    };
    this.hasNewScreen = false;
    this.hasNewRoots = false;
    return merged;
  }

  private takeMethods(methods: MethodSource | null): boolean {
    const isNew = methods !== null && methods.actions !== this.methodActions;
    if (isNew) this.methodActions = methods.actions;
    return isNew;
  }

  /** The effects of operations come later than the beans: their code has to be read. */
  private takeBeans(reported: unknown, methods: MethodSource | null): boolean {
    if (reported !== null && reported !== undefined) {
      this.beans = new BeanActions(beanFacts.parse(reported), this.values);
      methods?.judgeAlso(this.beans.judgedBy);
    } else if (this.beans === null || methods === null || methods.judgedCount === this.judgedCount) return false;
    this.judgedCount = methods?.judgedCount ?? 0;
    this.beanActions = this.beans.actions((keys) => methods?.worstOf(keys) ?? null);
    return true;
  }

  private mergeLeaves(objects: LeafUpdate): LeafUpdate {
    const { leaves } = this.screen;
    if (objects.kind === 'full')
      return this.merger.full(
        new Map([
          [WINDOWS, this.windowLeaves.full(leaves)],
          [OBJECTS, objects],
        ]),
      );
    const windows = this.hasNewScreen ? this.windowLeaves.update(leaves) : ({ kind: 'same' } as const);
    return this.merger.update(
      new Map([
        [WINDOWS, windows],
        [OBJECTS, objects],
      ]),
    );
  }

  private changedRoots(isFull: boolean): readonly LeafRoot[] | null {
    const roots = [...this.screen.roots, ...this.objects.roots];
    if (!isFull && isDeepStrictEqual(roots, this.roots)) return null;
    this.roots = roots;
    return roots;
  }

  /** The controls come first, so that methods, of which there are many, do not hide them. */
  private changedActions(isFull: boolean): readonly RawAction[] | null {
    const actions = [...this.screen.actions, ...this.beanActions, ...this.methodActions].slice(0, MAX_ACTIONS);
    if (!isFull && isDeepStrictEqual(actions, this.actions)) return null;
    this.actions = actions;
    return actions;
  }
}
