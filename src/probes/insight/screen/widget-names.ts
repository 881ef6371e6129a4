/** Names each widget of an area as a person would. */
import type { NameAllocator, NameMemory } from '../name-allocator.ts';
import { type Area, isToggle } from './area.ts';
import type { Labels } from './labels.ts';
import { firstText, nameFromCode, nameFromOwn, withoutKeys } from './names.ts';
import type { Toolkit } from './screen-facts.ts';
import type { Widget } from './widget-tree.ts';
import { firstName, toName, wordsOf } from './words.ts';

const MAX_TIP_WORDS = 5;

export interface FieldName {
  /** For keys and actions. */
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
      // Equal names get the section as a prefix.
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

/** The app's internal name for it. */
function codeName(field: Widget, toolkit: Toolkit): string {
  const { role, name, field: variable, ownType } = field;
  // A radio button stands for its group, which the name of one button does not describe.
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

/** The name of a widget with a text; empty if nothing names it. */
export function buttonName(button: Widget, toolkit: Toolkit): string {
  return (
    firstName(button.accessible, button.text, withoutKeys(button.tip), button.command) ||
    nameFromOwn(button.name, toolkit) ||
    nameFromCode(button.field, toolkit)
  );
}

/** The name of a label that names no field. */
export function labelName(label: Widget, toolkit: Toolkit): string {
  return toName(label.accessible) || nameFromOwn(label.name, toolkit) || nameFromCode(label.field, toolkit);
}

/** A tooltip that can be a name: no sentence, no path, and not the value of the widget. */
export function shortTip({ tip, value }: Widget): string | undefined {
  const words = withoutKeys(tip);
  if (words === undefined || /[/\\]/.test(words) || words === value) return undefined;
  return wordsOf(words).length <= MAX_TIP_WORDS ? words : undefined;
}
