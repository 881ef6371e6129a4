/** What a person would call each widget of an area. */
import type { NameAllocator, NameMemory } from '../name-allocator.ts';
import { type Area, isToggle } from './area.ts';
import type { Labels } from './labels.ts';
import { firstText, nameFromCode, nameFromOwn, withoutKeys } from './names.ts';
import type { Toolkit } from './screen-facts.ts';
import type { Widget } from './widget-tree.ts';
import { firstName, toName, wordsOf } from './words.ts';

const MAX_TIP_WORDS = 5;

export interface FieldName {
  /** In keys and actions. */
  readonly name: string;
  /** For people. */
  readonly title: string;
}

export function nameFields(
  area: Area,
  labels: Labels,
  toolkit: Toolkit,
  allocator: NameAllocator,
  memory: NameMemory,
): ReadonlyMap<Widget, FieldName> {
  const wanted = area.fields.map((field) => wantedName(field, area, labels, toolkit));
  const counts = new Map<string, number>();
  for (const name of wanted) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    area.fields.map((field, at) => {
      const own = wanted[at] ?? '';
      // Of two alike each is named by the section in which it is.
      const section = (counts.get(own) ?? 0) > 1 ? toName(area.sectionOf(field)) : '';
      const full = section !== '' && !own.startsWith(section) ? `${section}_${own}` : own;
      const name = allocator.takeFor(field.id, full, memory);
      const words = firstText(labels.of(field), field.accessible, isToggle(field) ? field.text : undefined);
      return [field, { name, title: words.replace(/[: ]+$/, '') || name }];
    }),
  );
}

function wantedName(field: Widget, area: Area, labels: Labels, toolkit: Toolkit): string {
  const label = toName(labels.of(field));
  if (label !== '') return label;
  const isAlone = field.role === 'radio' && !area.radiosOf(field);
  if (isToggle(field) || isAlone) return buttonName(field, toolkit) || 'option';
  const shown = firstName(field.accessible, area.ownSectionOf(field), shortTip(field));
  return shown || codeName(field, toolkit) || roleName(field);
}

/** What the app calls it for itself. */
function codeName(field: Widget, toolkit: Toolkit): string {
  const { role, name, field: variable, ownType } = field;
  // A radio button stands for its group: a designer names each of them, which does not name the group.
  const isNamed = toolkit === 'swing' || role !== 'radio';
  const own = isNamed ? nameFromOwn(name, toolkit) || nameFromCode(variable, toolkit) : '';
  const isByType = toolkit === 'swing' || role !== 'password';
  return own || (isByType ? nameFromCode(ownType, toolkit) : '');
}

function roleName({ role }: Widget): string {
  if (role === 'radio') return 'choice';
  if (role === 'list_box') return 'list';
  return role === 'tabs' ? 'tab' : role;
}

/** Of something with words on it; empty: nothing names it. */
export function buttonName(button: Widget, toolkit: Toolkit): string {
  return (
    firstName(button.accessible, button.text, withoutKeys(button.tip), button.command) ||
    nameFromOwn(button.name, toolkit) ||
    nameFromCode(button.field, toolkit)
  );
}

/** Of a label that names nothing else. */
export function labelName(label: Widget, toolkit: Toolkit): string {
  return toName(label.accessible) || nameFromOwn(label.name, toolkit) || nameFromCode(label.field, toolkit);
}

/** A tip that is a name: no sentence, no path, and not what the widget holds. */
export function shortTip({ tip, value }: Widget): string | undefined {
  const words = withoutKeys(tip);
  if (words === undefined || /[/\\]/.test(words) || words === value) return undefined;
  return wordsOf(words).length <= MAX_TIP_WORDS ? words : undefined;
}
