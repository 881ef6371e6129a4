/**
 * The daemon's queries for actions: the position of an element, whether it can be used, and changes that real input
 * cannot make.
 */
import { shorten } from '../../../../../insight/screen/words.ts';
import type { Unfinished } from '../../protocol.ts';
import type { DocumentReader } from '../document-reader.ts';
import { pasteInto } from '../fields/editors.ts';
import { focusOn, invalidField, prepareField, selectContent, typingTarget } from '../fields/field-input.ts';
import { heldBy, heldText, holdsText } from '../fields/field-values.ts';
import { isForm } from '../fields/fields.ts';
import { findField } from '../fields/find-field.ts';
import { checkRow } from '../lists/same-row.ts';
import { clickPoint, hasLargeCanvas, pointOfCanvas } from './click-point.ts';
import { findText } from './find-text.ts';
import { scrollAt } from './hidden-scroll.ts';
import { type Found, findElement, type Problem, problem, type Query } from './locator.ts';
import type { Target } from './page-actions.ts';

type Answer = { readonly ok: true } | Problem | Unfinished;

export class ElementCalls {
  private readonly reader: DocumentReader;
  private readonly sliceMs: number;
  /** The target of the running action. */
  private held: { readonly binding: string; readonly target: Target } | null = null;

  constructor(reader: DocumentReader, sliceMs: number) {
    this.reader = reader;
    this.sliceMs = sliceMs;
  }

  /** Whether it is still on the screen. */
  find(query: Query): Answer {
    return this.onScreen(query, () => {
      const binding = query.binding ?? '';
      const target = this.reader.actions.targets.get(binding);
      this.held = target ? { binding, target } : null;
      const found = target?.kind === 'form' ? null : this.findRow(query);
      return found && 'ok' in found ? found : { ok: true };
    });
  }

  /** A field of a form by its name for people: its binding and its name. */
  findField(query: Query): Answer {
    return this.onScreen(query, () => {
      const { targets } = this.reader.actions;
      const found = findField(query.text ?? '', targets);
      const target = found.ok ? targets.get(found.binding) : undefined;
      this.held = found.ok && target ? { binding: found.binding, target } : null;
      return found;
    });
  }

  /**
   * Where to click: `{ok:true,x,y}`; for a form, one field or its button, unless the browser would refuse to submit.
   */
  locate(query: Query): Answer {
    return this.withRow(query, ({ element, name, form }) => {
      const invalid = form && query.field === undefined ? invalidField(form, element) : null;
      return invalid ?? clickPoint(element, name);
    });
  }

  /** Where to click on words. */
  locateText(query: Query): Answer {
    return this.onScreen(query, () => {
      const found = findText(query.text ?? '', query.within ?? '');
      if ('ok' in found) return hasLargeCanvas() ? { ...found, hasCanvas: true } : found;
      // An element with an action of its own is judged, and passes the gates, as that action.
      const name = query.hovers === true ? null : this.actionAt(found.element);
      return name === null
        ? clickPoint(found.element, found.name, query.stays)
        : problem(`${found.name} is the action ${name}`);
    });
  }

  /** Whether a canvas lies at the point where something is drawn. */
  locateDrawn({ x = 0, y = 0, text = '' }: Query): Answer {
    return pointOfCanvas(x, y, `the text "${shorten(text, 40)}"`);
  }

  private actionAt(element: Element): string | null {
    for (const [binding, target] of this.reader.actions.targets) {
      const own = target.kind === 'controls' ? target.elements : target.kind === 'form' ? [target.submit] : [];
      if (own.some((control) => control?.contains(element))) return binding.slice(binding.indexOf('.') + 1);
    }
    return null;
  }

  focus(query: Query): Answer {
    return this.withElement(query, ({ element, name }) => focusOn(element, name));
  }

  /** Focuses the element and selects its content. */
  selectAll(query: Query): Answer {
    return this.withElement(query, ({ element, name }) => {
      const focused = focusOn(element, name);
      if (!focused.ok) return focused;
      if (typingTarget() !== element) return problem(`${name} takes no text`);
      selectContent(element);
      return focused;
    });
  }

  /** `{ok:true,how:'done'|'type'}` or `{ok:true,how:'click',x,y}`: the remaining step. */
  setField(query: Query): Answer {
    return this.withRow(query, (found) => prepareField(found, query.value));
  }

  /** `{ok:true,how:'done'}`, or `type` if the keyboard has to do it. */
  paste(query: Query): Answer & { how?: string } {
    return this.withElement(query, ({ element }) => ({
      ok: true,
      how: pasteInto(element, String(query.value)) ? 'done' : 'type',
    }));
  }

  /** Whether the field holds the given value; never its value. */
  readBack(query: Query): Answer {
    return this.withElement(query, ({ element, site }) => {
      const isWritten = !site || site.kind === 'rich' || site.kind === 'editor';
      const held = site ? heldBy(site) : heldText(element);
      const wanted = String(query.value);
      const matches = isWritten ? holdsText(element, wanted) : String(held) === wanted;
      return { ok: true, matches, empty: held === '' };
    });
  }

  /** Whether typed text has a target. */
  typing(): Answer {
    return typingTarget() ? { ok: true } : problem('no field has the focus: click or focus one first');
  }

  /** `{ok:true,how:'wheel'}`: the page is visible, so the wheel works; `done`: it is scrolled. */
  scroll({ x = 0, y = 0, deltaY = 0 }: Query): Answer & { how?: string } {
    if (document.visibilityState === 'visible') return { ok: true, how: 'wheel' };
    scrollAt(x, y, deltaY);
    return { ok: true, how: 'done' };
  }

  /** For a form without a button. */
  submit({ binding = '' }: Query): Answer {
    const target = this.reader.actions.targets.get(binding) ?? this.heldFor({ binding });
    if (target?.kind !== 'form') return problem('this form is not on the screen any more');
    const { element } = target.form;
    if (!isForm(element)) return problem('it has no button, and is no form that can be submitted');
    const invalid = invalidField(target.form, null);
    if (invalid) return invalid;
    // A field of the form may have this name.
    Reflect.apply(HTMLFormElement.prototype.requestSubmit, element, []);
    return { ok: true };
  }

  private withElement(query: Query, work: (found: Found) => Answer): Answer {
    return this.onScreen(query, () => {
      const found = findElement(query, this.reader.actions.targets, this.heldFor(query));
      return 'ok' in found ? found : work(found);
    });
  }

  /** For changes: an index must have the same meaning as when it was chosen. */
  private withRow(query: Query, work: (found: Found) => Answer): Answer {
    return this.onScreen(query, () => {
      const found = this.findRow(query);
      return 'ok' in found ? found : work(found);
    });
  }

  private findRow(query: Query): Found | Problem {
    const { reported, actions } = this.reader;
    const binding = query.binding ?? '';
    const moved = checkRow(reported.targets.get(binding), actions.targets.get(binding), query.index);
    return moved ?? findElement(query, actions.targets, this.heldFor(query));
  }

  private heldFor({ binding }: Query): Target | null {
    return this.held !== null && this.held.binding === binding ? this.held.target : null;
  }

  /** Names are resolved on the current screen. */
  private onScreen({ selector }: Query, work: () => Answer): Answer {
    const isReady = selector !== undefined || this.reader.refresh(performance.now() + this.sliceMs) !== 'unfinished';
    return isReady ? work() : { more: true };
  }
}
