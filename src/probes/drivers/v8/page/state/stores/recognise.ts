/** Recognises the stores of libraries: in props, in hooks, in globals, in closures. */

import type { Found } from '../found.ts';
import { isView, topView, VIEW_LENGTH } from '../frameworks/angular.ts';
import { containerOf } from '../frameworks/ember.ts';
import { rawOf } from '../frameworks/vue-raw.ts';
import { attempt, isFunction, isObject, own } from '../safe.ts';
import { asApollo } from './apollo.ts';
import { asRecoil } from './atoms.ts';
import { asMobx, type MobxReader, storesOf } from './mobx.ts';
import { findPinia } from './pinia.ts';
import { asRedux } from './redux.ts';
import { asQueryClient } from './tanstack.ts';
import { asVuex } from './vuex.ts';
import { asZustand, asZustandReader } from './zustand.ts';

export interface RecogniserGuard {
  /** False if it is a Proxy, or not known yet. */
  isOpen(value: unknown, depth?: number): boolean;
  isProxy(value: object): boolean;
  hasMobx(): boolean;
}

export class Recogniser {
  /** Views of Angular from which all others are reached. */
  readonly angularViews = new Set<readonly unknown[]>();
  readonly emberContainers = new Set<object>();
  private readonly registry: { add(found: Found): void };
  /** Something was skipped because it is not known yet whether it is a Proxy: another search will find more. */
  postponed = false;
  private readonly mobx: MobxReader;
  private readonly guard: RecogniserGuard;
  /** Results for values that were checked before. */
  private readonly known = new WeakMap<object, Found[]>();

  constructor(registry: { add(found: Found): void }, mobx: MobxReader, guard: RecogniserGuard) {
    this.registry = registry;
    this.mobx = mobx;
    this.guard = guard;
  }

  readonly add = (found: Found): void => this.registry.add(found);

  readonly addPinia = (value: unknown): void => {
    for (const found of findPinia(rawOf(value))) this.add(found);
  };

  /** Returns true if it is a store, and shown as one. */
  readonly recognise = (value: unknown): boolean => {
    if (!isObject(value) && !isFunction(value)) return false;
    let found = this.known.get(value);
    if (found === undefined) {
      const isOpen = this.isOpen(value);
      if (!isOpen && !this.guard.isProxy(value)) return false;
      // The object by which it observes.
      if (isOpen && !this.isSettled(own(value, 'reaction'))) return false;
      found = attempt(() => (isOpen ? this.look(value) : this.behindProxy(value)), 'Recogniser.look') ?? [];
      this.known.set(value, found);
    }
    for (const one of found) this.add(one);
    return found.length > 0 || (!this.guard.isProxy(value) && attempt(() => this.isMachine(value)) === true);
  };

  /** True if it is known to be no Proxy: otherwise reading it might run code of the app. */
  readonly isOpen = (value: unknown, depth?: number): boolean => {
    if (this.guard.isOpen(value, depth)) return true;
    if (isObject(value) && !this.guard.isProxy(value)) this.postponed = true;
    return false;
  };

  /** True if the inspector has checked it, whatever the result. */
  readonly isSettled = (value: unknown, depth?: number): boolean =>
    this.isOpen(value, depth) || !isObject(value) || this.guard.isProxy(value);

  /** Receives the dependencies of hooks. */
  readonly dependencies = (values: readonly unknown[]): void => {
    const found = attempt(() => asZustandReader(values), 'Recogniser.zustand');
    if (found) this.add(found);
  };

  private look(value: object): Found[] {
    const found =
      asRedux(value) ??
      asZustand(value) ??
      asVuex(value) ??
      asQueryClient(value) ??
      asApollo(value) ??
      asRecoil(value) ??
      asMobx(value, this.mobx);
    return found ? [found] : this.isOpen(own(value, 'reaction')) ? storesOf(value, this.mobx) : [];
  }

  /** If MobX is present, its marks are searched. */
  private behindProxy(proxy: object): Found[] {
    const found = this.guard.hasMobx() ? asMobx(proxy, this.mobx) : null;
    return found ? [found] : [];
  }

  /** A part of a framework that leads to state. */
  private isMachine(value: object): boolean {
    const view = this.isView(value) ? value : this.firstView(value);
    if (view) this.angularViews.add(topView(view));
    const container = view ? null : containerOf(value, this.isOpen);
    if (container) this.emberContainers.add(container);
    return view !== null || container !== null;
  }

  /** Angular numbers its views in a map. */
  private firstView(value: object): readonly unknown[] | null {
    if (!(value instanceof Map)) return null;
    for (const [key, view] of value as Map<unknown, unknown>)
      return typeof key === 'number' && this.isOpen(view) && this.isView(view) ? view : null;
    return null;
  }

  private isView(value: unknown): value is readonly unknown[] {
    return Array.isArray(value) && value.length >= VIEW_LENGTH && this.isOpen(own(value, 1)) && isView(value);
  }
}
