/** Turns the controls of windows into actions, and each action into a request to the agent. */

import type { RawAction } from '../../../model/raw-action.ts';
import { NameAllocator } from '../name-allocator.ts';
import type { Area } from './area.ts';
import { columnNames } from './area-record.ts';
import { closingEffect, toggleEffect } from './control-effect.ts';
import { type FieldAction, fieldActions } from './field-actions.ts';
import { firstText, MAX_QUOTED, quoted, withoutKeys } from './names.ts';
import type { Toolkit } from './screen-facts.ts';
import type { UiTarget } from './user-input.ts';
import { buttonName, type FieldName } from './widget-names.ts';
import type { Widget } from './widget-tree.ts';
import { firstName, shorten, toName } from './words.ts';

const MAX_ACTIONS = 600;
/** The limit per window. */
const MAX_MENU_ITEMS = 400;

/** The prefix of the bindings of controls. */
export const UI_SCHEME = 'ui:';

export class ControlActions {
  readonly actions: RawAction[] = [];
  readonly targets = new Map<string, UiTarget>();
  private readonly names = new NameAllocator();
  private readonly toolkit: Toolkit;
  /** Menu items of the current window, listed after its other controls. */
  private menus: RawAction[] = [];
  private isBlocked = false;
  private isDialog = false;
  private readonly isOnlyWindow: boolean;

  constructor(toolkit: Toolkit, windowCount: number) {
    this.toolkit = toolkit;
    this.isOnlyWindow = windowCount === 1;
  }

  /** The areas of one window are added between `begin` and `end`. */
  begin(window: Widget): void {
    this.isBlocked = window.blocked === true;
    this.isDialog = window.modal !== undefined;
  }

  end(window: Widget, name: string): void {
    this.actions.push(...this.menus);
    this.menus = [];
    this.addClose(window, name);
  }

  /** Closing a dialog only changes the screen, unless the dialog is the whole program. */
  addClose(widget: Widget, prefix: string): void {
    const called = `the window ${quoted(widget.text ?? '')}`;
    const description = `Asks ${called} to close`;
    const action = {
      operation: 'close',
      name: 'close_window',
      effect: widget.modal === undefined || this.isOnlyWindow ? 'unknown' : 'look',
      description,
      parameters: [],
    } as const;
    this.add(prefix, widget, called, action);
  }

  addArea(prefix: string, area: Area, names: ReadonlyMap<Widget, FieldName>): void {
    for (const [field, named] of names)
      for (const action of fieldActions(area, field, named)) this.add(prefix, field, quoted(named.title), action);
    for (const button of area.buttons) this.addButton(prefix, area, button);
    for (const menu of area.menus) {
      const name = menu.role === 'popup' ? 'popup' : buttonName(menu, this.toolkit) || 'menu';
      this.addMenu(`${prefix}.${name}`, menu.text ?? '', menu);
    }
  }

  private addButton(prefix: string, area: Area, button: Widget): void {
    const { role, disabled, text, accessible, tip, command } = button;
    const covered = coveredWords(button);
    const name = buttonName(button, this.toolkit) || toName(covered);
    if (disabled || name === '') return;
    const section = area.sectionOf(button);
    const place = this.isDialog ? 'dialog' : 'window';
    const effect = closingEffect(place, text, accessible, withoutKeys(tip), command, covered);
    const words = quoted(wordsOn(button) || covered);
    const description = `${role === 'link' ? 'Link' : 'Button'} ${words}${section === '' ? '' : ` in ${quoted(section)}`}`;
    const called = `the ${role === 'link' ? 'link' : 'button'} ${words}`;
    this.add(prefix, button, called, { operation: 'press', name, effect, description, parameters: [] });
  }

  private addMenu(prefix: string, way: string, menu: Widget): void {
    if (menu.disabled) return;
    for (const item of menu.parts) {
      const { role, disabled, text, tip, value } = item;
      const name = buttonName(item, this.toolkit);
      if (disabled || name === '') continue;
      const own = shorten(wordsOn(item), MAX_QUOTED);
      const words = way === '' ? own : `${way} > ${own}`;
      if (role === 'menu') this.addMenu(`${prefix}.${name}`, words, item);
      if (role !== 'item' || (this.toolkit === 'forms' && isPlaceholder(item))) continue;
      const effect = value === undefined ? closingEffect('menu', text, withoutKeys(tip)) : toggleEffect(text, tip);
      const description = `Menu item "${words}"`;
      const called = `the menu item "${words}"`;
      this.add(prefix, item, called, { operation: 'press', name, effect, description, parameters: [] });
    }
  }

  /** A blocked window has no actions. */
  private add(prefix: string, widget: Widget, called: string, action: FieldAction): void {
    const isFull = this.actions.length + this.menus.length >= MAX_ACTIONS;
    const isInMenu = widget.role === 'item';
    if (this.isBlocked || isFull || (isInMenu && this.menus.length >= MAX_MENU_ITEMS)) return;
    const { operation, effect, description, parameters } = action;
    const name = this.names.take(`${prefix}.${action.name}`);
    const binding = `${UI_SCHEME}${name}`;
    const { id, role, text, rows } = widget;
    const titles = operation === 'set_cell' ? (rows?.columns ?? []) : [];
    const names = operation === 'set_cell' && rows ? columnNames(rows) : [];
    const columns = titles.map((title, at) => [title, names[at] ?? ''] as const);
    const words = operation === 'press' ? text : undefined;
    this.targets.set(binding, { operation, id, role, called, words, columns });
    const list = isInMenu ? this.menus : this.actions;
    list.push({ binding, name, parameters, returns: 'void', effect, description });
  }
}

function wordsOn(button: Widget): string {
  return firstText(button.text, button.accessible, button.tip, button.command, button.name, button.field);
}

/** The text beneath a button without text that covers a tile or a card. */
function coveredWords({ text, parent, left, top, right, bottom }: Widget): string {
  if (text || !parent) return '';
  const covered = parent.parts.filter(
    (part) =>
      part.role === 'label' && part.left >= left && part.right <= right && part.top >= top && part.bottom <= bottom,
  );
  return firstText(...covered.map((label) => label.text));
}

/** `<>` is the placeholder in a menu that is filled when it opens. */
function isPlaceholder({ text, accessible, tip }: Widget): boolean {
  return text !== undefined && text !== '' && firstName(text, accessible, tip) === '';
}
