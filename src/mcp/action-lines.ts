/** Actions in the order of their use: those on the screen, then methods of important objects, libraries on request. */
import type { ActionSchema } from '../client/index.ts';
import { pathPattern } from '../model/path.ts';
import type { StateLook } from '../model/state-look.ts';
import { actionText, isInternal, isUnnamed, shortText } from './action-text.ts';
import { cut } from './app-data.ts';
import { inOrder } from './key-groups.ts';

type Actions = Readonly<Record<string, ActionSchema>>;

interface Weight {
  readonly salience: number;
  readonly isShown: boolean;
}

interface Method {
  readonly name: string;
  readonly holder: string;
  readonly salience: number;
}

export interface RankedActions {
  /** Actions on the screen, and of the browser. */
  readonly screen: readonly string[];
  readonly methods: readonly Method[];
  /** Methods that nobody would ask for. */
  readonly libraries: readonly Method[];
}

export interface ActionLines {
  readonly lines: readonly string[];
  /** The omitted actions: globs, with the number that each selects. */
  readonly left: ReadonlyMap<string, number>;
}

/** The salience of an object without values of its own. */
const UNKNOWN = 0.3;
/** Patterns per step. */
const STEP = 64;

export function* rankActions(actions: Actions, look: StateLook): Generator<void, RankedActions, void> {
  const names = Object.keys(actions);
  // Controls of a page have no parent; those of a window are below their window.
  const isOnScreen = (name: string) =>
    parentOf(name) === '' ? !isFunction(actions[name]) : look.isScreen(firstOf(name));
  const holderOf = (name: string) => pathPattern(parentOf(name));
  const holders = new Map<string, Weight | null>();
  for (const name of names) if (!isOnScreen(name)) holders.set(holderOf(name), null);
  yield* weigh(holders, look);
  const methods = names
    .filter((name) => !isOnScreen(name))
    .map((name): Method & { isShown: boolean } => {
      const holder = holderOf(name);
      const { salience, isShown } = holders.get(holder) ?? { salience: UNKNOWN, isShown: true };
      return { name, holder, salience, isShown: isShown && !isInternal(name, actions[name]) };
    });
  return {
    screen: names.filter(isOnScreen),
    methods: inOrder(methods.filter(({ isShown }) => isShown)),
    libraries: methods.filter(({ isShown }) => !isShown),
  };
}

/** An object is as important as its most important value. */
function* weigh(holders: Map<string, Weight | null>, look: StateLook): Generator<void, void, void> {
  let looked = 0;
  for (const [pattern, [place = 0]] of look.keys.places) {
    if (++looked % STEP === 0) yield;
    const key = look.keys.keys[place] ?? pattern;
    for (let path = parentOf(pattern); path !== ''; path = parentOf(path)) {
      const known = holders.get(path);
      if (known === undefined) continue;
      const salience = Math.max(known?.salience ?? 0, look.salience(key));
      holders.set(path, { salience, isShown: known?.isShown === true || look.isShown(key) });
    }
  }
}

const isFunction = (action: ActionSchema | undefined) => action !== undefined && PLAIN.test(action.description);
const firstOf = (name: string) => /^[^.[]+/.exec(name)?.[0] ?? name;

/** `a.b[*].c` -> `a.b[*]` -> `a.b` -> `a` -> nothing. */
function parentOf(path: string): string {
  const start = path.endsWith('"]') ? '["' : path.endsWith(']') ? '[' : '.';
  return path.slice(0, Math.max(0, path.lastIndexOf(start)));
}

/** These work on any page, and their names are clear enough. */
const ANYWHERE = new Set(
  'click click_text drag type press_key fill navigate clear focus scroll hover activate_tab open_tab close_tab accept_dialog dismiss_dialog'.split(
    ' ',
  ),
);
/** Methods of one object. Fewer next to a screen, because people use the screen. */
const MOST_OF_PAGE = 6;
const MOST_OF_PROGRAM = 40;
/** Characters for methods next to a screen. */
const BESIDE_SCREEN = 400;
/** Descriptions that add nothing to the name. */
const PLAIN = /^(?:Method|Function) \S+ of /;

const LONGEST_AREA = 40;
const ENOUGH_WORDS = 4;

type Detail = (name: string, action: ActionSchema, look: StateLook) => string;

/** Levels of detail: the first with which the whole screen fits is used. */
const DETAILS: readonly Detail[] = [
  (name, action, look) =>
    `${actionText(name, action, look)}${returnsOf(action)}  [${kindOf(action)}]  ${about(action, 300)}`,
  (name, action, look) => `${actionText(name, action, look)}  [${kindOf(action)}]  ${about(action, 60)}`,
  (name, action, look) => `${actionText(name, action, look)}  [${kindOf(action)}]`,
];
const METHOD: Detail = (name, action, look) =>
  `${actionText(name, action, look)}${returnsOf(action)}  [${kindOf(action)}]`;

const kindOf = ({ reversibility, judged }: ActionSchema) => (judged === false ? 'not judged yet' : reversibility);
const returnsOf = ({ signature }: ActionSchema) => / -> (?!void$|unknown$).*$/s.exec(signature)?.[0] ?? '';
const about = ({ description }: ActionSchema, room: number) => (PLAIN.test(description) ? '' : cut(description, room));

/** The screen is complete, if need be as names only; the rest is included as far as there is room. */
export function actionLines(actions: Actions, ranked: RankedActions, look: StateLook, room: number): ActionLines {
  const { methods, libraries } = ranked;
  const isBehind = (name: string) => BEHIND.test(actions[name]?.description ?? '');
  const screen = ranked.screen.filter((name) => !ANYWHERE.has(name) && !isBehind(name));
  const behind = behindLine(
    actions,
    ranked.screen.filter((name) => !ANYWHERE.has(name) && isBehind(name)),
  );
  const anywhere = ranked.screen.filter((name) => ANYWHERE.has(name));
  const always = namesOnly(actions, anywhere, look, room).lines;
  // Leaves room for methods to be at least mentioned.
  const forScreen = (methods.length === 0 ? room : room * 0.85) - sizeOf(always) - sizeOf(behind);
  const { lines, missing } = screenLines(actions, screen, look, forScreen);
  const left = new Map<string, number>();
  if (missing > 0) left.set('*<part of a name>*', missing);
  let free = room - sizeOf(lines) - sizeOf(always) - sizeOf(behind);
  if (screen.length > 0) free = Math.min(free, BESIDE_SCREEN);
  const listed: string[] = [];
  const rest: Method[] = [];
  const most = screen.length === 0 ? MOST_OF_PROGRAM : MOST_OF_PAGE;
  const counts = new Map<string, number>();
  for (const method of methods) {
    const [line = ''] = linesBy(METHOD, actions, [method.name], look);
    const count = counts.get(method.holder) ?? 0;
    if (count >= most || line.length + 1 > free) rest.push(method);
    else {
      listed.push(line);
      free -= line.length + 1;
      counts.set(method.holder, count + 1);
    }
  }
  for (const [glob, count] of byHolder([...rest, ...libraries])) left.set(glob, count);
  return { lines: [...lines, ...listed, ...always, ...behind], left };
}

/**
 * An action whose description adds nothing to its name shares a line with others; one with parameters has a line of its
 * own.
 */
function screenLines(
  actions: Actions,
  names: readonly string[],
  look: StateLook,
  room: number,
): { lines: readonly string[]; missing: number } {
  const plain = names.filter((name) => isPlain(name, actions[name]));
  const others = names.filter((name) => !isPlain(name, actions[name]));
  for (const withAreas of [true, false]) {
    const short = namesOnly(actions, plain, look, room, withAreas);
    for (const detail of short.missing > 0 ? [] : DETAILS) {
      const lines = [...linesBy(detail, actions, others, look), ...short.lines];
      if (sizeOf(lines) <= room) return { lines, missing: 0 };
    }
  }
  return namesOnly(actions, names, look, room);
}

/** The end of the description of a control that cannot be used before the dialog is closed. */
const BEHIND = / \(behind the dialog "([^"]*)"\)$/;
const FEW_BEHIND = 6;

function behindLine(actions: Actions, names: readonly string[]): string[] {
  const [first] = names;
  if (first === undefined) return [];
  const [, dialog = ''] = BEHIND.exec(actions[first]?.description ?? '') ?? [];
  const some = names.slice(0, FEW_BEHIND).join('  ');
  const more = names.length > FEW_BEHIND ? `  … ${names.length} in all` : '';
  return [`(only once the dialog "${dialog}" is closed:  ${some}${more})`];
}

/** The end of a description, with the place on the screen. */
const AREA = / in "([^"]*)"$/;

/** Null if the name already says it. */
function areaOf(name: string, { description }: ActionSchema): string | null {
  const area = AREA.exec(description)?.[1] ?? null;
  if (area === null || hasWords(name, area)) return null;
  return area.length <= LONGEST_AREA ? area : `${area.slice(0, LONGEST_AREA)}…`;
}

/** The name of a control with a long text consists of its first words, which are enough. */
function isBeginning(name: string, text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const own = name.toLowerCase().split('_');
  return own.length >= ENOUGH_WORDS && own.every((word, at) => word === words[at]);
}

function hasWords(name: string, text: string): boolean {
  const own = new Set(name.toLowerCase().split(/[^\p{L}\d]+/u));
  return (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).every((word) => own.has(word));
}

/** True without parameters, and with a description that has no other words than the name, besides the place. */
function isPlain(name: string, action: ActionSchema | undefined): boolean {
  if (!action || action.parameters.length > 0) return false;
  if (isUnnamed(action)) return true;
  const quoted = [...action.description.replace(AREA, '').matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
  if (action.description === '' || PLAIN.test(action.description)) return true;
  return quoted.length > 0 && (hasWords(name, quoted.join(' ')) || isBeginning(name, quoted.join(' ')));
}

function linesBy(detail: Detail, actions: Actions, names: readonly string[], look: StateLook): string[] {
  return names.flatMap((name) => {
    const action = actions[name];
    return action ? [detail(name, action, look).trimEnd()] : [];
  });
}

/** `[irreversible_write]  save  send(to, text)`; with areas `[irreversible_write] in "Invoice 17":  save` */
function namesOnly(
  actions: Actions,
  names: readonly string[],
  look: StateLook,
  room: number,
  withAreas = false,
): { lines: string[]; missing: number } {
  const kinds = new Map<string, string>();
  let free = room;
  let missing = 0;
  const series = seriesAmong(actions, names);
  for (const name of names) {
    const action = actions[name];
    const alike = series.get(name);
    if (!action || alike === HIDDEN) continue;
    const text = alike ?? shortText(name, action, look);
    const area = withAreas ? areaOf(name, action) : null;
    const kind = `[${kindOf(action)}]${area === null ? '' : ` in "${area}":`}`;
    const line = kinds.get(kind) ?? kind;
    const longer = `${line}  ${text}`;
    const needed = kinds.has(kind) ? longer.length - line.length : longer.length + 1;
    if (needed > free) missing++;
    else {
      kinds.set(kind, longer);
      free -= needed;
    }
  }
  return { lines: [...kinds.values()], missing };
}

/** More of them become one entry. */
const MIN_SERIES = 2;
/** Listed together with the first of its series. */
const HIDDEN = '';

/** Controls that differ only by number: `button_1_in_food to button_14_in_food (14)` stands for all. */
function seriesAmong(actions: Actions, names: readonly string[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const action = actions[name];
    if (!action || !isUnnamed(action)) continue;
    const key = `${kindOf(action)} ${name.replace(/\d+/, '')}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const series = new Map<string, string>();
  for (const [first = '', ...others] of groups.values()) {
    if (others.length < MIN_SERIES) continue;
    series.set(first, `${first} to ${others.at(-1)} (${others.length + 1} without a name)`);
    for (const name of others) series.set(name, HIDDEN);
  }
  return series;
}

const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);

function byHolder(methods: readonly Method[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { holder } of methods) {
    const glob = holder === '' ? '*' : `${holder}.*`;
    counts.set(glob, (counts.get(glob) ?? 0) + 1);
  }
  return counts;
}
