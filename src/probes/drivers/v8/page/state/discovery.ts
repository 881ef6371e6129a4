/** Finds the state of a page: walks its elements once for the marks of frameworks, then follows those. */

import { shownInDom } from './dom-shown.ts';
import type { Found } from './found.ts';
import { visitAlpine } from './frameworks/alpine.ts';
import { visitAngular } from './frameworks/angular.ts';
import { type ComponentGuard, ComponentRegistry } from './frameworks/component-registry.ts';
import { findEmber } from './frameworks/ember.ts';
import { visitLit } from './frameworks/lit.ts';
import { visitPreact } from './frameworks/preact.ts';
import { type ReactVisitor, visitReact } from './frameworks/react.ts';
import { nameFromPlace } from './frameworks/react-names.ts';
import { visitVue2 } from './frameworks/vue2.ts';
import { type VueVisitor, visitVue3 } from './frameworks/vue3.ts';
import type { Globals } from './globals.ts';
import type { RootRegistry } from './root-registry.ts';
import { attempt, isFunction, isObject, own } from './safe.ts';
import { hasMobx } from './stores/mobx.ts';
import type { Recogniser } from './stores/recognise.ts';
import type { Unwrapper } from './unwrap.ts';
import { walkElements } from './walk-elements.ts';

const MAX_FUNCTIONS = 300;

export interface DiscoveryParts {
  readonly registry: RootRegistry;
  readonly unwrapper: Unwrapper;
  readonly recogniser: Recogniser;
  readonly globals: Globals;
  readonly guard: ComponentGuard;
}

export class Discovery {
  readonly components: ComponentRegistry;
  /** Functions whose closures may hold state, and their owners. */
  readonly functions = new Map<object, string>();
  /** The same for modules inside of modules: few, and close to their state. */
  readonly innerFunctions = new Map<object, string>();
  /** A framework is present whose state only closures lead to. */
  hidesState = false;
  /** The same, for the current search. */
  private hides = false;
  private vueHides = false;
  private handlersHide = false;
  private readonly registry: RootRegistry;
  private readonly unwrapper: Unwrapper;
  private readonly recogniser: Recogniser;
  private readonly globals: Globals;
  private readonly react: ReactVisitor;
  private readonly vue: VueVisitor;
  private readonly hookNames = new WeakMap<object, string | null>();

  constructor({ registry, unwrapper, recogniser, globals, guard }: DiscoveryParts) {
    this.components = new ComponentRegistry('component state', guard);
    this.registry = registry;
    this.unwrapper = unwrapper;
    this.recogniser = recogniser;
    this.globals = globals;
    const { recognise, isOpen, isSettled, dependencies, add, addPinia } = recogniser;
    const { components, addFunction } = this;
    const looks = { recognise, isOpen, isSettled };
    this.react = { ...looks, dependencies, add, components, hookName: (...place) => this.hookName(...place) };
    this.vue = {
      ...looks,
      add,
      addPinia,
      components,
      addFunction: (fn, origin) => {
        this.vueHides = true;
        addFunction(fn, origin);
      },
      readObserved: (target, name) =>
        isObject(target) ? (unwrapper.resolve(target) as Record<string, unknown>)[name] : undefined,
    };
  }

  /** Yields where it can be interrupted. */
  *search(isKept: (found: Found) => boolean): Generator<void, void, void> {
    const { registry, unwrapper, recogniser } = this;
    registry.beginSearch();
    recogniser.postponed = false;
    this.components.beginSearch();
    this.hides = false;
    this.vueHides = false;
    unwrapper.presence.mobx ||= hasMobx();
    const visited = new Set<object>();
    for (const element of walkElements()) {
      if (element) yield* this.visit(element, visited);
      else yield;
    }
    for (const view of recogniser.angularViews) {
      unwrapper.presence.angular = true;
      yield* guarded(visitAngular(view, this.components));
    }
    for (const container of recogniser.emberContainers) {
      unwrapper.presence.ember = true;
      for (const found of attempt(() => [...findEmber(container, unwrapper.accessors)], 'Discovery.ember') ?? [])
        registry.add(found);
    }
    const kinds = new Set(registry.founds().map(({ kind }) => kind));
    if (unwrapper.presence.mobx && !kinds.has('mobx')) this.hides = true;
    if (this.handlersHide && kinds.size === 0) this.hides = true;
    if (this.vueHides && !kinds.has('pinia') && !kinds.has('vuex')) this.hides = true;
    this.hidesState = this.hides;
    yield* guarded(this.components.endSearch((found) => registry.add(found)));
    yield;
    yield* guarded(this.globals.search((found) => registry.add(found)));
    yield;
    yield* guarded(this.globals.modules((fn, origin) => this.addFunction(fn, origin)));
    registry.endSearch(isKept);
  }

  /** Something in the last search could not be checked yet. */
  get isIncomplete(): boolean {
    return this.recogniser.postponed;
  }

  readonly addFunction = (fn: unknown, origin: string, functions = this.functions): void => {
    if (isFunction(fn) && functions.size < MAX_FUNCTIONS && !functions.has(fn)) functions.set(fn, origin);
  };

  private *visit(element: Element, visited: Set<object>): Generator<void, void, void> {
    const { presence, accessors } = this.unwrapper;
    for (const key of Object.keys(element)) {
      if (key.startsWith('__reactContainer$') || key === '_reactRootContainer') {
        yield* guarded(visitReact(element, key, this.react));
      } else if (key === '__vue_app__') {
        presence.vue = true;
        yield* guarded(visitVue3(element, this.vue));
      } else if (key === '__vue__') {
        presence.vue2 = true;
        yield* guarded(visitVue2(element, this.vue, visited));
      } else if (key === '__k') yield* guarded(visitPreact(element, this.react));
      else if (key === '_x_dataStack') {
        presence.vue = true;
        attempt(() => visitAlpine(element, this.components), 'Discovery.alpine');
      } else if (key === '__ngContext__') this.visitAngularMark(own(element, key));
      else if (key.startsWith('__zone_symbol__')) this.visitTasks(own(element, key), element);
      else if (/^(__|\$\$)(click|input|change|submit|keydown|pointer|mouse)/.test(key))
        this.visitHandler(own(element, key), element);
    }
    for (const symbol of Object.getOwnPropertySymbols(element))
      if (symbol.description === 'events') this.visitHandler(own(element, symbol), element);
    if (element.localName.includes('-')) attempt(() => visitLit(element, this.components, accessors), 'Discovery.lit');
  }

  /** Older versions of Angular leave the view itself, newer ones a number. */
  private visitAngularMark(mark: unknown): void {
    const view = Array.isArray(mark) ? mark : own(mark, 'lView');
    this.unwrapper.presence.angular = true;
    if (!this.recogniser.recognise(view) && this.recogniser.angularViews.size === 0)
      this.hides = this.hidesState = true;
  }

  /** Zone.js keeps listeners in a visible place. */
  private visitTasks(tasks: unknown, element: Element): void {
    if (!Array.isArray(tasks)) return;
    for (const task of tasks as unknown[])
      this.addFunction(own(task, 'callback'), `a listener of <${element.localName}>`);
  }

  /** Svelte and Solid attach delegated listeners to the elements: as functions, or in records of their own. */
  private visitHandler(held: unknown, element: Element): void {
    const handlers: unknown[] = Array.isArray(held)
      ? held
      : isObject(held)
        ? Object.keys(held).map((name) => own(held, name))
        : [held];
    for (const handler of handlers.slice(0, 20)) {
      if (!isFunction(handler)) continue;
      this.handlersHide = true;
      this.unwrapper.presence.svelte = true;
      this.addFunction(handler, `a listener of <${element.localName}>`);
    }
  }

  private hookName(hook: object, value: unknown, element: unknown): string | null {
    if (!this.hookNames.has(hook) && this.recogniser.isOpen(value))
      this.hookNames.set(hook, nameFromPlace(value, shownInDom(element)));
    return this.hookNames.get(hook) ?? null;
  }
}

/** A failure in one framework must not hide the others. */
function* guarded(work: Generator<void, void, void>): Generator<void, void, void> {
  for (;;) {
    const step = attempt(() => work.next(), 'Discovery.next');
    if (!step || step.done) return;
    yield;
  }
}
