/** The actions on the screen: one per form, control and loose field. */

import type { Effect, RawParameter } from '../../../../../../model/raw-action.ts';
import { NameAllocator } from '../../../../../insight/name-allocator.ts';
import { shorten, toName } from '../../../../../insight/screen/words.ts';
import type { PageAction } from '../../protocol.ts';
import { headingIn } from '../accessible-name.ts';
import { isReadOnly } from '../fields/editors.ts';
import { isButtonInput } from '../fields/fields.ts';
import { findAlikeRows } from '../lists/alike-rows.ts';
import { contextName } from '../names.ts';
import { attributeOf, isInert, tagOf } from '../nodes.ts';
import type { ControlSite, FieldSite, FormSite, Place, Screen } from '../screen.ts';
import { formParameters, indexParameter, MAX_DESCRIPTION, parameterOf } from './action-parameters.ts';
import { formEffect, groupEffect } from './consequences.ts';
import { fieldEffect, isScriptLink } from './control-effect.ts';
import type { ControlMemory } from './control-memory.ts';

const MAX_ACTIONS = 200;
/** Controls that are processed without checking the clock. */
const AT_ONCE = 32;
/** More controls of one name become one action with an index. */
const MAX_ALIKE = 10;
/** Keeps the whole name, with its button and a number, below 100. */
const MAX_FORM_NAME = 50;

/** The target of an action, by its binding. `rows`: the text at each index, or empty. */
export type Target =
  | { readonly kind: 'form'; readonly form: FormSite; readonly submit: Element | null }
  | { readonly kind: 'controls'; readonly elements: readonly Element[]; readonly rows: readonly string[] }
  | { readonly kind: 'fields'; readonly fields: readonly FieldSite[]; readonly rows: readonly string[] };

export interface ActionList {
  readonly actions: PageAction[];
  readonly targets: Map<string, Target>;
}

interface Candidate {
  readonly role: string;
  readonly base: string;
  readonly title: string;
  readonly hint?: string;
  readonly place: Place;
  readonly effect: Effect;
  readonly parameters: readonly RawParameter[];
  readonly control?: Element;
  readonly row?: Element | null;
  readonly field?: FieldSite;
}

/** Yields where it can be interrupted. */
export function* listActions(screen: Screen, memory: ControlMemory): Generator<void, ActionList, void> {
  const allocator = new NameAllocator();
  const actions: { rank: number; action: PageAction }[] = [];
  const targets = new Map<string, Target>();
  const behind = screen.modal === null ? '' : ` (behind the dialog "${shorten(screen.modal, 60)}")`;
  const add = (role: string, wanted: string, place: Place, target: Target, rest: ActionText): void => {
    const name = allocator.take(wanted);
    const binding = `${role}.${name}`;
    targets.set(binding, target);
    const isBehind = behind !== '' && !place.inDialog;
    const description = `${shorten(rest.description, MAX_DESCRIPTION - 80)}${isBehind ? behind : ''}`;
    actions.push({
      rank: isBehind ? BEHIND : rankOf(place),
      action: { binding, name, source: null, ...rest, description },
    });
  };
  const loose: Candidate[] = [];
  for (const form of screen.forms) {
    if (isInert(form.element)) continue;
    addForm(form, add, loose, memory);
    yield;
  }
  for (const [at, site] of withDistinctiveCounts(screen.controls).entries()) {
    loose.push(...controlCandidate(site, memory));
    if (at % AT_ONCE === 0) yield;
  }
  for (const [at, field] of screen.fields.entries()) {
    loose.push(...fieldCandidate(field));
    if (at % AT_ONCE === 0) yield;
  }
  const { alike, others } = findAlikeRows(loose);
  yield;
  for (const { name, candidates } of alike) addIndexed(name, candidates, add);
  yield;
  let groups = 0;
  for (const group of groupByBase(others).values()) {
    addAlike(group, add);
    if (++groups % AT_ONCE === 0) yield;
  }
  // Stable: within one part of the page the order stays.
  actions.sort((a, b) => a.rank - b.rank);
  const kept = actions.slice(0, MAX_ACTIONS);
  return { actions: kept.map(({ action }) => action), targets };
}

/** `Seat 12` and `Seat 13` are no counts of seats: if everything else is the same, the numbers are names. */
function withDistinctiveCounts(sites: readonly ControlSite[]): readonly ControlSite[] {
  const counted = sites.filter(({ text, full }) => text !== full);
  if (counted.length < 2) return sites;
  const fulls = new Map<string, Set<string>>();
  for (const { kind, text, full } of counted) {
    const known = fulls.get(`${kind} ${text}`) ?? new Set<string>();
    fulls.set(`${kind} ${text}`, known.add(full));
  }
  const isDistinctive = ({ kind, text }: ControlSite) => (fulls.get(`${kind} ${text}`)?.size ?? 0) > 1;
  return sites.map((site) => (site.text !== site.full && isDistinctive(site) ? { ...site, text: site.full } : site));
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

const BEHIND = 9;

function rankOf({ landmark, inDialog }: Place): number {
  return inDialog ? 0 : (RANKS[landmark] ?? 2);
}

function addForm(form: FormSite, add: Add, loose: Candidate[], memory: ControlMemory): void {
  const submit = submitOf(form.buttons);
  const button = submit ? toName(submit.text) : 'submit';
  const name = form.name.slice(0, MAX_FORM_NAME).replace(/_+$/, '');
  const named = submit && submit.text !== '' ? `presses "${shorten(submit.text, 60)}"` : 'presses its button';
  const presses = submit ? named : 'submits it';
  add(
    'form',
    joinNames(name, button),
    form.place,
    { kind: 'form', form, submit: submit?.element ?? null },
    {
      description: `Fills in the form "${form.name}" and ${presses}`,
      parameters: formParameters(form.fields),
      // The heading above may be the question that the button answers.
      effect: formEffect(`${form.name} ${headingIn(form.element)}`, submit?.text ?? null),
    },
  );
  for (const other of form.buttons) if (other !== submit) loose.push(...controlCandidate(other, memory));
}

/** `compose` and `send` are `compose_send`; `login` and `login` are `login`; `delivery` and `save_delivery` the latter. */
function joinNames(form: string, button: string): string {
  if (button === '' || form === button || form.startsWith(`${button}_`) || form.endsWith(`_${button}`)) return form;
  return button.startsWith(`${form}_`) || button.endsWith(`_${form}`) ? button : `${form}_${button}`;
}

/** Several buttons may submit the form: its markup or its name shows which one does. The others do something else. */
function submitOf(buttons: readonly ControlSite[]): ControlSite | undefined {
  const able = buttons.filter(({ element }) => isSubmit(element));
  if (able.length < 2) return able[0];
  const said = able.filter(({ element }) => attributeOf(element, 'type') !== null);
  const among = said.length > 0 ? said : able;
  return among.find(({ text }) => SENDS.test(text)) ?? among[0];
}

const SENDS = /^\s*(?:submit|save|send|create|apply|ok|okay|confirm|continue|update|search|log ?in|sign (?:in|up))\b/i;

function isSubmit(element: Element): boolean {
  if (isButtonInput(element)) return element.type === 'submit' || element.type === 'image';
  const type = attributeOf(element, 'type');
  return tagOf(element) === 'button' && type !== 'button' && type !== 'reset';
}

/** Drawn elements are often opened like that, and nothing shows it. */
const TWICE: RawParameter = { name: 'twice', type: 'boolean', required: false, description: 'true: a double click' };

/** A link whose name says where it leads. */
const SAYS_WHERE = /^(?:go|view|show|see|back|next|previous)(?:_|$)/;

function controlCandidate(site: ControlSite, memory: ControlMemory): Candidate[] {
  const { element, kind, text, place } = site;
  const { isOff, effect, row } = memory.judge(site);
  if (isOff) return [];
  if (site.ordinal !== undefined) return [{ ...unnamedCandidate(site, site.ordinal, effect), row }];
  const own = toName(text);
  if (own === '') return [];
  const parameters = kind === 'shape' ? [TWICE] : [];
  const { hint } = site;
  const base = { title: text, hint, place, parameters, control: element, row, role: kind, effect };
  if (kind === 'link') {
    const isNamed = isScriptLink(attributeOf(element, 'href') ?? '') || SAYS_WHERE.test(own);
    return [{ ...base, base: isNamed ? own : withVerb('open', own) }];
  }
  if (kind === 'toggle' || kind === 'summary') return [{ ...base, base: withVerb('toggle', own) }];
  return [{ ...base, base: kind === 'tab' ? withVerb('show', own) : own }];
}

/** `button_3_in_invoice_17` */
function unnamedCandidate(site: ControlSite, ordinal: number, effect: Effect): Candidate {
  const { element, kind, place } = site;
  const where = contextName(contextText(place)) || place.landmark;
  const base = `${kind}_${ordinal}${where === '' ? '' : `_in_${where}`}`;
  const title = `number ${ordinal}, which has no name`;
  return { base, title, place, parameters: [], control: element, role: kind, effect };
}

function withVerb(verb: string, name: string): string {
  return name === verb || name.startsWith(`${verb}_`) ? name : `${verb}_${name}`;
}

function fieldCandidate(field: FieldSite): Candidate[] {
  if (field.place.form || field.kind === 'file' || isReadOnly(field.element) || isInert(field.element)) return [];
  const { name, label, place } = field;
  const parameters = [{ ...parameterOf(field, 'value'), required: true }];
  const effect = fieldEffect(field);
  return [{ role: 'field', base: `set_${name}`, title: label || name, place, effect, parameters, field }];
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
  const labels = alike.map(({ place, title }) => contextText(place) || title);
  const isCut = alike.some(({ base }) => base !== name);
  add(first.role, name, first.place, targetOf(alike, alike.map(rowText)), {
    description: `${kindOf(first)} "${shorten(first.title, 60)}": one of ${alike.length}, chosen by index`,
    parameters: [indexParameter(labels), ...first.parameters],
    effect: groupEffect(
      alike.map(({ effect }) => effect),
      name,
      isCut,
    ),
  });
}

function rowText({ place, title }: Candidate): string {
  return place.row?.text || contextText(place) || title;
}

function targetOf(candidates: readonly Candidate[], rows: readonly string[] = []): Target {
  const fields = candidates.flatMap(({ field }) => field ?? []);
  if (fields.length > 0) return { kind: 'fields', fields, rows };
  return { kind: 'controls', elements: candidates.flatMap(({ control }) => control ?? []), rows };
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
  tile: 'What can be clicked:',
  shape: 'Shape',
  menuitem: 'Menu item',
  field: 'Sets the field',
};

function describe({ role, title, hint = '', place }: Candidate): string {
  const context = contextText(place);
  const where = context === '' || context === title ? '' : ` in "${shorten(context, 60)}"`;
  const more = hint === '' ? '' : `, "${shorten(hint, 60)}"`;
  return `${kindOf({ role })} "${shorten(title, 60)}"${more}${where}`;
}

function kindOf({ role }: Pick<Candidate, 'role'>): string {
  return ROLE_TEXTS[role] ?? 'Button';
}
