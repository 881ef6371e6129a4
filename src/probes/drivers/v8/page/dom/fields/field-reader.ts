/** Puts the fields of the page where their values are shown: in their form, in their row, or with the others. */

import { toName } from '../../../../../insight/screen/words.ts';
import { containerTexts, fieldLabel, headingIn, type LabelTexts, shownLabel } from '../accessible-name.ts';
import { attributeOf, previousElement } from '../nodes.ts';
import type { FieldSite, Place, Screen } from '../screen.ts';
import type { SemanticNode } from '../semantic-node.ts';
import { editorLabel } from './editors.ts';
import { lastingLabel } from './field-names.ts';
import { type Field, type FieldKind, fieldKind, fieldReader, isHtml, isInput } from './fields.ts';

const MAX_FIELDS = 2_000;

export class FieldReader {
  private readonly screen: Screen;
  private readonly labels: LabelTexts;
  /** Radio buttons of one name are one field. */
  private readonly radioGroups = new Map<string, FieldSite>();

  constructor(screen: Screen, labels: LabelTexts) {
    this.screen = screen;
    this.labels = labels;
  }

  read({ element }: SemanticNode, around: Place): void {
    const { screen } = this;
    // A copy, because the walk replaces the heading of the section as it goes on.
    const place = { ...around, section: { ...around.section } };
    const kind = fieldKind(element);
    if (kind === null || !isHtml(element)) return;
    if (screen.fields.length >= MAX_FIELDS) {
      screen.leftOut++;
      return;
    }
    const radio = kind === 'radio' && isInput(element) ? element : null;
    if (radio && this.joinRadioGroup(radio, place)) return;
    const own = kind === 'editor' ? editorLabel(element) : '';
    const label = radio ? radioGroupLabel(radio, place) : own || fieldLabel(element, this.labels);
    const site = this.siteOf(element, kind, label, place);
    screen.fields.push(site);
    place.form?.fields.push(site);
    if (!radio) return;
    site.radios.push({ element: radio, label: this.radioLabel(radio) });
    if (radio.name !== '') this.radioGroups.set(radio.name, site);
  }

  private siteOf(element: Field, kind: FieldKind, label: string, place: Place): FieldSite {
    const base = { label, element, kind, read: fieldReader(element, kind), radios: [], place };
    const own = toName(lastingLabel(element, label));
    if (place.form) {
      const name = place.form.names.take(own || kind);
      return { ...base, name, record: place.form.record, key: name };
    }
    const { row } = place;
    if (row) {
      const column = row.columns[cellIndex(element)] ?? '';
      const key = row.names.take(column || own || (kind === 'checkbox' ? 'checked' : 'value'));
      return { ...base, name: own || column || toName(row.label) || kind, record: row.record, key };
    }
    const name = this.screen.freeName('fields', own || toName(place.section.heading) || kind);
    return { ...base, name, record: this.screen.record('fields'), key: name };
  }

  private joinRadioGroup(radio: HTMLInputElement, place: Place): boolean {
    const group = this.radioGroups.get(radio.name);
    if (!group || group.place.form?.element !== place.form?.element) return false;
    group.radios.push({ element: radio, label: this.radioLabel(radio) });
    return true;
  }

  private radioLabel(radio: HTMLInputElement): string {
    return shownLabel(radio, this.labels) || radio.value;
  }
}

function radioGroupLabel(radio: Element, place: Place): string {
  const group = radio.closest('fieldset,[role=radiogroup]');
  const label = group ? containerTexts(group).aria || headingIn(group) : '';
  return label || (attributeOf(radio, 'name') ?? '') || place.section.heading;
}

function cellIndex(element: Element): number {
  const cell = element.closest('td,th,[role=cell],[role=gridcell]');
  let index = -1;
  for (let at: Element | null = cell; at; at = previousElement(at)) index++;
  return index;
}

/** By the id of the field. */
export function collectLabels(tree: SemanticNode): Map<string, string> {
  const labels = new Map<string, string>();
  const visit = (parts: readonly SemanticNode[]): void => {
    for (const { role, element, text, parts: inner, hasLabel } of parts) {
      if (role !== 'label' && !hasLabel) continue;
      const id = role === 'label' ? attributeOf(element, 'for') : null;
      if (id && !labels.has(id)) labels.set(id, text);
      visit(inner);
    }
  };
  visit(tree.parts);
  return labels;
}
