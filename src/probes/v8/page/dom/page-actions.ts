/** What can be done on the screen: one action per form, control and loose field. */

import type { Effect, RawParameter } from '../../../../model/raw-action.ts';
import type { PageAction } from '../protocol.ts';
import { findAlikeRows } from './alike-rows.ts';
import { type FieldKind, isButtonInput, optionsOf } from './fields.ts';
import { contextName, NameBook, shorten, toName } from './names.ts';
import { attributeOf, hasAttribute, tagOf } from './nodes.ts';
import type { ControlSite, FieldSite, FormSite, Place, Screen } from './screen.ts';

const MAX_ACTIONS = 200;
/** More controls of one name become one action with an index. */
const MAX_ALIKE = 10;
const MAX_EXAMPLES = 5;

/** What an action works on; looked up by its binding. */
export type Target =
  | { readonly kind: 'form'; readonly form: FormSite; readonly submit: Element | null }
  | { readonly kind: 'controls'; readonly elements: readonly Element[] }
  | { readonly kind: 'fields'; readonly fields: readonly FieldSite[] };

export interface ActionList {
  readonly actions: PageAction[];
  readonly targets: Map<string, Target>;
}

interface Candidate {
  readonly role: string;
  readonly base: string;
  readonly title: string;
  readonly place: Place;
  readonly effect: Effect;
  readonly parameters: readonly RawParameter[];
  readonly control?: Element;
  readonly field?: FieldSite;
}

export function listActions(screen: Screen): ActionList {
  const book = new NameBook();
  const actions: { rank: number; action: PageAction }[] = [];
  const targets = new Map<string, Target>();
  const add = (role: string, wanted: string, place: Place, target: Target, rest: ActionText): void => {
    const name = book.take(wanted);
    const binding = `${role}.${name}`;
    targets.set(binding, target);
    actions.push({ rank: rankOf(place), action: { binding, name, source: null, ...rest } });
  };
  const loose: Candidate[] = [];
  for (const form of screen.forms) addForm(form, add, loose);
  loose.push(...screen.controls.flatMap(controlCandidate), ...screen.fields.flatMap(fieldCandidate));
  const { alike, others } = findAlikeRows(loose);
  for (const { name, candidates } of alike) addIndexed(name, candidates, add);
  for (const group of groupByBase(others).values()) addAlike(group, add);
  // Stable: within one part of the page the order stays.
  actions.sort((a, b) => a.rank - b.rank);
  const kept = actions.slice(0, MAX_ACTIONS);
  return { actions: kept.map(({ action }) => action), targets };
}

type ActionText = Pick<PageAction, 'description' | 'parameters' | 'effect'>;
type Add = (role: string, wanted: string, place: Place, target: Target, rest: ActionText) => void;

const RANKS: Readonly<Record<string, number>> = {
  dialog: 0,
  main: 1,
  banner: 3,
  complementary: 3,
  navigation: 4,
  contentinfo: 5,
};

function rankOf({ landmark }: Place): number {
  return RANKS[landmark] ?? 2;
}

function addForm(form: FormSite, add: Add, loose: Candidate[]): void {
  const submit = form.buttons.find(({ element }) => isSubmit(element));
  const button = submit ? toName(submit.text) : 'submit';
  const parameters = form.fields.filter(({ kind }) => kind !== 'file').map((field) => parameterOf(field, field.name));
  const presses = submit ? `presses "${shorten(submit.text, 60)}"` : 'submits it';
  add(
    'form',
    joinNames(form.name, button),
    form.place,
    { kind: 'form', form, submit: submit?.element ?? null },
    {
      description: `Fills in the form "${form.name}" and ${presses}`,
      parameters,
      effect: 'control',
    },
  );
  for (const other of form.buttons) if (other !== submit) loose.push(...controlCandidate(other));
}

/** `compose` and `send` are `compose_send`; `login` and `login` are `login`; `delivery` and `save_delivery` the latter. */
function joinNames(form: string, button: string): string {
  if (button === '' || form === button || form.startsWith(`${button}_`) || form.endsWith(`_${button}`)) return form;
  return button.startsWith(`${form}_`) || button.endsWith(`_${form}`) ? button : `${form}_${button}`;
}

function isSubmit(element: Element): boolean {
  if (isButtonInput(element)) return element.type === 'submit' || element.type === 'image';
  const type = attributeOf(element, 'type');
  return tagOf(element) === 'button' && type !== 'button' && type !== 'reset';
}

const TYPES: Partial<Readonly<Record<FieldKind, RawParameter['type']>>> = { checkbox: 'boolean', number: 'number' };

function parameterOf(field: FieldSite, name: string): RawParameter {
  const { element, kind, radios } = field;
  const options = kind === 'radio' ? radios.map(({ label }) => label) : optionsOf(element);
  const required =
    (hasAttribute(element, 'required') || attributeOf(element, 'aria-required') === 'true') && kind !== 'checkbox';
  const inputType = attributeOf(element, 'type');
  const notes = [
    field.label === '' || toName(field.label) === name ? '' : shorten(field.label, 80),
    options.length > 0 ? `one of: ${options.map((option) => shorten(option, 60)).join(' | ')}` : '',
    kind === 'value' && inputType !== null ? inputType : '',
  ].filter((note) => note !== '');
  return {
    name,
    type: inputType === 'range' ? 'number' : (TYPES[kind] ?? 'string'),
    required,
    ...(notes.length > 0 ? { description: notes.join('; ') } : {}),
  };
}

/** Leaving the session or a mailing list is more than going to another page. */
const CONSEQUENTIAL =
  /(?:^|_)(?:log|sign)_?(?:out|off)(?:_|$)|unsubscribe|deactivate|cancel_(?:sub|order|account)|revoke/;

/** A link that says itself where it leads. */
const SAYS_WHERE = /^(?:go|view|show|see|back|next|previous)(?:_|$)/;

function controlCandidate({ element, kind, text, place }: ControlSite): Candidate[] {
  const own = toName(text);
  if (own === '' || isOff(element)) return [];
  const base = { title: text, place, parameters: [], control: element };
  if (kind === 'link') {
    const href = attributeOf(element, 'href') ?? '';
    if (href === '#' || /^\s*javascript:/i.test(href)) return [{ ...base, role: 'link', base: own, effect: 'control' }];
    const isCalm = isSameSite(element) && !CONSEQUENTIAL.test(own);
    return [
      {
        ...base,
        role: 'link',
        base: SAYS_WHERE.test(own) ? own : withVerb('open', own),
        effect: isCalm ? 'setter' : 'control',
      },
    ];
  }
  const calm: Effect = CONSEQUENTIAL.test(own) ? 'control' : 'setter';
  if (kind === 'toggle' || kind === 'summary')
    return [{ ...base, role: kind, base: withVerb('toggle', own), effect: calm }];
  if (kind === 'tab') return [{ ...base, role: kind, base: withVerb('show', own), effect: calm }];
  return [{ ...base, role: kind, base: own, effect: 'control' }];
}

function isOff(element: Element): boolean {
  return element.closest('[inert]') !== null;
}

function isSameSite(link: Element): boolean {
  // Nearly all links of a site are relative.
  const href = attributeOf(link, 'href') ?? '';
  if (!/^\s*(?:[a-z][\w+.-]*:|[/\\]{2})/i.test(href)) return true;
  try {
    return new URL(href, link.baseURI).origin === location.origin;
  } catch {
    return false;
  }
}

function withVerb(verb: string, name: string): string {
  return name === verb || name.startsWith(`${verb}_`) ? name : `${verb}_${name}`;
}

function fieldCandidate(field: FieldSite): Candidate[] {
  if (field.place.form || field.kind === 'file') return [];
  const { name, label, place } = field;
  const parameters = [{ ...parameterOf(field, 'value'), required: true }];
  return [{ role: 'field', base: `set_${name}`, title: label || name, place, effect: 'setter', parameters, field }];
}

function groupByBase(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  const places = new Set<string>();
  for (const candidate of candidates) {
    const key = `${candidate.role}.${candidate.base}`;
    // Two links to one page are one action.
    const href = candidate.role === 'link' ? (candidate.control?.getAttribute('href') ?? '#') : '#';
    if (href !== '#') {
      if (places.has(`${key} ${href}`)) continue;
      places.add(`${key} ${href}`);
    }
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
  return groups;
}

function addAlike(alike: readonly Candidate[], add: Add): void {
  const [first] = alike;
  if (!first) return;
  if (alike.length > MAX_ALIKE) {
    addIndexed(first.base, alike, add);
    return;
  }
  for (const candidate of alike) {
    const context = alike.length > 1 ? contextOf(candidate) : '';
    add(
      candidate.role,
      context === '' ? candidate.base : `${candidate.base}_${context}`,
      candidate.place,
      targetOf([candidate]),
      {
        description: describe(candidate),
        parameters: [...candidate.parameters],
        effect: candidate.effect,
      },
    );
  }
}

function addIndexed(name: string, alike: readonly Candidate[], add: Add): void {
  const [first] = alike;
  if (!first) return;
  add(first.role, name, first.place, targetOf(alike), {
    description: `${describe(first)}: one of ${alike.length}, chosen by index`,
    parameters: [indexParameter(alike), ...first.parameters],
    // The most that one of them does is what all may do.
    effect: alike.some(({ effect }) => effect === 'control') ? 'control' : first.effect,
  });
}

function targetOf(candidates: readonly Candidate[]): Target {
  const fields = candidates.flatMap(({ field }) => field ?? []);
  if (fields.length > 0) return { kind: 'fields', fields };
  return { kind: 'controls', elements: candidates.flatMap(({ control }) => control ?? []) };
}

function indexParameter(alike: readonly Candidate[]): RawParameter {
  const examples = alike.slice(0, MAX_EXAMPLES).map(({ place }, at) => `${at} = ${shorten(contextText(place), 40)}`);
  return {
    name: 'index',
    type: 'number',
    required: true,
    description: `0 to ${alike.length - 1}, in the order of the page: ${examples.join(', ')}, …`,
  };
}

function contextOf({ place, base }: Candidate): string {
  const name = contextName(contextText(place));
  return base.endsWith(`_${name}`) ? '' : name;
}

function contextText({ row, section }: Place): string {
  return row?.label || section.heading;
}

const ROLE_TEXTS: Readonly<Record<string, string>> = {
  link: 'Link',
  toggle: 'Toggle',
  summary: 'Expands or collapses',
  tab: 'Tab',
  menuitem: 'Menu item',
  field: 'Sets the field',
};

function describe({ role, title, place }: Candidate): string {
  const context = contextText(place);
  const where = context === '' || context === title ? '' : ` in "${shorten(context, 60)}"`;
  return `${ROLE_TEXTS[role] ?? 'Button'} "${shorten(title, 60)}"${where}`;
}
