/** Variables that every script of the page sees: properties of the window, and let and const at the top level. */
import type { PageClassifier } from './classify.ts';
import type { Found } from './found.ts';
import { isMinified } from './naming.ts';
import { type AnyFunction, attempt, isFunction, isNative, isObject, makerOf, own } from './safe.ts';
import type { Vetting } from './vetting.ts';

const { keys, getOwnPropertyDescriptor } = Object;

/** Properties that browsers define on the window. */
const BUILT_IN = new Set(
  (
    'window self document location top parent frames name history navigator screen external chrome status closed length ' +
    'opener origin performance event TEMPORARY PERSISTENT localStorage sessionStorage indexedDB caches crypto ' +
    'customElements visualViewport styleMedia clientInformation isSecureContext scheduler trustedTypes launchQueue ' +
    'navigation cookieStore documentPictureInPicture fence sharedStorage credentialless originAgentCluster speechSynthesis'
  ).split(' '),
);
/** Leftovers of tools and libraries. */
const FOREIGN =
  /^(__.*(DEVTOOLS|HOOK|VUE|REACT|REDUX|zone_symbol|core-js|vite|webpack|parcel|SVELTE|svelte|mobx|next_|APOLLO_CLIENT|TANSTACK|STORYBOOK|playwright|pw_|puppeteer).*|webpackChunk.*|webpackJsonp.*|parcelRequire.*|Zone|dataLayer|google_tag_.*|ga|gtag|_gaq|fbq|_fbq|gaGlobal|regeneratorRuntime|jQuery\d+|requirejs|define|core|litHtmlVersions|litElementVersions|reactiveElementVersions|__svelte|_\$.*|ng|getAngularTestability|frameworkStabilizers|ngDevMode|Alpine|Ember|EmberENV|runningTests|Vue|React|ReactDOM|Redux|preact|jQuery|_|Immutable|mobx|__v_.*|__BUILD_MANIFEST|__SSG_MANIFEST|__next.*|next|Sentry|__SENTRY__|recaptcha|grecaptcha)$/;
/** Libraries that add themselves, by their well-known names. */
const LIBRARIES = new Set(
  'Prism hljs Handlebars Mustache moment dayjs luxon d3 THREE L google Stripe Intercom Modernizr YUI dojo dijit can goog m Ractive Backbone Marionette ko angular PIXI Chart Highcharts echarts Plotly monaco CodeMirror ace tinymce CKEDITOR Swiper gsap TweenMax io axios Popper bootstrap FontAwesome MathJax katex mermaid marked showdown DOMPurify Dexie localforage Cookies CryptoJS Promise P Hammer Masonry Isotope Flickity Tether Raphael Snap SVG paper fabric Konva createjs Howl Tone YT Vimeo jsPDF XLSX Papa rxjs Rx ramda R async Q bluebird zone'.split(
    ' ',
  ),
);
/** A library's exports: mostly functions, many of them. */
const MANY_FUNCTIONS = 12;
const MAX_GLOBALS = 500;
const MAX_MEMBERS = 100;
const MAX_MODULES = 80;
/** Variables that are processed without checking the clock. */
const AT_ONCE = 16;

export class Globals {
  readonly view: Record<string, unknown> = Object.create(null);
  /** Variables whose names are taken by other state. */
  readonly hiddenView: Record<string, unknown> = Object.create(null);
  /** Names without meaning: each is a root of its own. */
  private readonly mangled = new Map<string, Found>();
  private names: string[] = [];
  private lexicals: Record<string, unknown> = Object.create(null);
  private readLexicals: () => object | null = () => null;
  private taken: ReadonlySet<string> = new Set();
  private readonly classifier: PageClassifier;
  private readonly vetting: Vetting;
  private readonly recognise: (value: unknown) => boolean;

  constructor(classifier: PageClassifier, vetting: Vetting, recognise: (value: unknown) => boolean) {
    this.classifier = classifier;
    this.vetting = vetting;
    this.recognise = recognise;
  }

  /** Submits all variables for a check: each could be a Proxy of the app. */
  submit(): void {
    for (const name of this.candidates()) this.vetting.allows(own(globalThis, name));
    for (const name of keys(this.lexicals)) this.vetting.allows(this.lexicals[name]);
  }

  /** `read` comes from the daemon, which can name variables that a script declared at its top level. */
  setLexicals(read: () => object): void {
    this.readLexicals = read;
    this.refreshLexicals();
  }

  private refreshLexicals(): void {
    const values = attempt(this.readLexicals, 'Globals.lexicals');
    if (!values) return;
    this.lexicals = Object.create(null);
    for (const name of keys(values)) this.lexicals[name] = own(values, name);
  }

  /** Searches for variables that were added or removed; yields where it can be interrupted. */
  *search(add: (found: Found) => void): Generator<void, void, void> {
    const names: string[] = [];
    let looked = 0;
    for (const name of this.candidates()) {
      if (this.isState(name, own(globalThis, name))) names.push(name);
      if (++looked % AT_ONCE === 0) yield;
    }
    for (const name of keys(this.lexicals)) {
      if (names.includes(name) || FOREIGN.test(name)) continue;
      if (this.isState(name, this.lexicals[name])) names.push(name);
      if (++looked % AT_ONCE === 0) yield;
    }
    this.names = names;
    for (const name of this.names) if (isMinified(name)) this.mangled.set(name, this.asMangled(name));
    for (const name of this.mangled.keys()) if (!this.names.includes(name)) this.mangled.delete(name);
    this.refresh();
    for (const found of this.mangled.values()) add(found);
    if (this.names.length > this.mangled.size) {
      add(this.asFound('globals', '', this.view));
      add(this.asFound('window', 'window', this.hiddenView));
    }
  }

  /** One function of each object that the app keeps in a variable: it closes over the private state of such modules. */
  *modules(add: (fn: AnyFunction, origin: string) => void): Generator<void, void, void> {
    let found = 0;
    for (const name of this.candidates()) {
      yield;
      const value = own(globalThis, name);
      if (!isObject(value) || !this.isOpen(value)) continue;
      const members = keys(value).slice(0, MAX_MEMBERS);
      const holders = members.map((member): [unknown, string] => [own(value, member), `${name}.${member}`]);
      for (const [holder, origin] of [[value, name] as const, ...holders]) {
        const fn = isObject(holder) && this.isOpen(holder) ? firstFunction(holder) : null;
        if (fn && found++ < MAX_MODULES) add(fn, origin);
      }
      if (found >= MAX_MODULES) return;
    }
  }

  /**
   * Names that other roots use at the first level: variables of that name are shown below `window`. Returns true if
   * there are some.
   */
  setTaken(names: ReadonlySet<string>): boolean {
    const differs = this.names.some((name) => names.has(name) !== this.taken.has(name));
    this.taken = names;
    return differs;
  }

  private asFound(kind: string, wanted: string, view: Record<string, unknown>): Found {
    return {
      kind,
      id: '',
      wanted,
      origin: 'global variable',
      identity: view,
      stable: false,
      mangled: false,
      read: () => {
        this.refresh();
        return keys(view).length > 0 ? view : undefined;
      },
    };
  }

  private asMangled(name: string): Found {
    return (
      this.mangled.get(name) ?? {
        kind: 'global',
        id: name,
        wanted: '',
        origin: `global variable ${name}`,
        identity: {},
        stable: false,
        mangled: true,
        read: () => this.vetted(this.valueOf(name)),
      }
    );
  }

  private refresh(): void {
    this.refreshLexicals();
    for (const name of this.names) {
      if (isMinified(name)) continue;
      const isTaken = this.taken.has(name);
      const value = this.valueOf(name);
      put(this.view, name, isTaken ? undefined : value);
      put(this.hiddenView, name, isTaken ? value : undefined);
    }
    for (const view of [this.view, this.hiddenView])
      for (const name of keys(view)) if (!this.names.includes(name)) delete view[name];
  }

  private isOpen(value: object): boolean {
    return this.vetting.allows(value) && !this.classifier.blocked.has(value);
  }

  private vetted(value: unknown): unknown {
    return this.vetting.allows(value) ? value : undefined;
  }

  private valueOf(name: string): unknown {
    return name in this.lexicals ? this.lexicals[name] : own(globalThis, name);
  }

  private candidates(): string[] {
    const names: string[] = [];
    for (const name of keys(globalThis)) {
      if (names.length >= MAX_GLOBALS) break;
      if (BUILT_IN.has(name) || LIBRARIES.has(name) || FOREIGN.test(name) || /^\d+$/.test(name)) continue;
      const descriptor = getOwnPropertyDescriptor(globalThis, name);
      if (descriptor && 'value' in descriptor && !(isFunction(descriptor.value) && isNative(descriptor.value)))
        names.push(name);
    }
    return names;
  }

  private isState(name: string, value: unknown): boolean {
    if (value === undefined || typeof value === 'symbol') return false;
    // Until the daemon has checked it, it keeps its earlier kind.
    if (!this.vetting.allows(value)) return this.names.includes(name);
    // A store of a library shows its state, not itself.
    if ((isObject(value) || isFunction(value)) && !this.classifier.blocked.has(value) && this.recognise(value))
      return false;
    if (isFunction(value)) return false;
    if (!isObject(value)) return !(isMinified(name) && typeof value !== 'string');
    const classified = this.classifier.classify(value);
    if (!classified) return false;
    if ('text' in classified) return classified.text === '[Proxy]' || classified.live;
    return classified.expand !== 'fields' || !isToolbox(value);
  }
}

/** Null if it has none of its own. */
export function firstFunction(holder: object): AnyFunction | null {
  for (const name of keys(holder).slice(0, MAX_MEMBERS)) {
    const member = own(holder, name);
    if (isFunction(member) && !isNative(member)) return member;
  }
  return null;
}

/** An object made of functions: a library, not state. */
export function isToolbox(value: object): boolean {
  let functions = 0;
  let data = 0;
  let hasVersion = false;
  for (const name of keys(value)) {
    const member = own(value, name);
    if (isFunction(member)) functions++;
    else if (member !== undefined) data++;
    if (/^version$/i.test(name) && typeof member === 'string') hasVersion = true;
  }
  if (functions > 0 && data === 0 && makerOf(value) === Object) return true;
  return (functions >= MANY_FUNCTIONS && functions > 3 * data) || (hasVersion && functions > data);
}

function put(view: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete view[name];
  else if (view[name] !== value) view[name] = value;
}
