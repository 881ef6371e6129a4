/** The content of the screen, as plain data for the comparison, and as places for actions. */

import type { Scalar } from '../../../../../model/scalar.ts';
import { NameAllocator } from '../../../../insight/name-allocator.ts';
import type { Field, FieldKind } from './fields/fields.ts';

export type Data = { [key: string]: unknown };

/** Kinds of state, in the order of the report. */
export const ROOT_KINDS = [
  'page',
  'document',
  'forms',
  'fields',
  'tables',
  'lists',
  'details',
  'text',
  'texts',
  'status',
  'toggles',
  'tabs',
  'expanded',
  'menus',
  'dialogs',
  'headings',
  'data',
  'storage',
] as const;
export type RootKind = (typeof ROOT_KINDS)[number];

/** A field, and the place of its value. */
export interface FieldSite {
  readonly name: string;
  readonly label: string;
  readonly element: Field;
  readonly kind: FieldKind;
  readonly read: () => Scalar;
  /** All buttons of a radio group; empty for others. */
  readonly radios: { readonly element: HTMLInputElement; readonly label: string }[];
  readonly record: Data;
  readonly key: string;
  readonly place: Place;
}

export interface ControlSite {
  readonly element: Element;
  readonly kind: string;
  /** Without counts, which change. */
  readonly text: string;
  /** With counts. */
  readonly full: string;
  /** Its visible text, which may differ from its name. */
  readonly shown: string;
  /** The part of its title that its text lacks, or empty. */
  readonly hint: string;
  /** For a control without a name: its number within its place, from 1. */
  readonly ordinal?: number;
  readonly place: Place;
}

export interface FormSite {
  readonly element: Element;
  readonly name: string;
  readonly names: NameAllocator;
  readonly record: Data;
  readonly fields: FieldSite[];
  readonly buttons: ControlSite[];
  readonly place: Place;
}

export interface RowSite {
  /** A few words that distinguish this row from others. */
  readonly label: string;
  /** All of its text that was read. */
  readonly text: string;
  readonly names: NameAllocator;
  /** The record of the row's fields; `columns` names them by cell. */
  readonly record: Data;
  readonly columns: readonly string[];
}

/** The place of something on the screen. */
export interface Place {
  readonly landmark: string;
  readonly section: { heading: string };
  readonly form: FormSite | null;
  readonly row: RowSite | null;
  /** It is in an open dialog. */
  readonly inDialog: boolean;
}

/** The elements of a list in the order of its entries; `name` is empty for headings. */
export interface RowsShown {
  readonly root: RootKind;
  readonly name: string;
  readonly elements: readonly Element[];
}

export class Screen {
  readonly roots = new Map<RootKind, Data | unknown[]>();
  readonly fields: FieldSite[] = [];
  readonly forms: FormSite[] = [];
  readonly controls: ControlSite[] = [];
  readonly headings: string[] = [];
  readonly headingElements: Element[] = [];
  readonly rows: RowsShown[] = [];
  /** First heading of level 1, of the main landmark, and of all. */
  heading: string | null = null;
  mainHeading: string | null = null;
  current: string | null = null;
  dialog: string | null = null;
  /** The dialog that must be answered before anything else can be used. */
  modal: string | null = null;
  /** Leaves omitted by caps. */
  leftOut = 0;
  private readonly allocators = new Map<RootKind, NameAllocator>();

  get isEmpty(): boolean {
    return this.controls.length === 0 && this.fields.length === 0 && this.headings.length === 0;
  }

  record(kind: RootKind): Data {
    const known = this.roots.get(kind);
    if (known && !Array.isArray(known)) return known;
    const made: Data = {};
    this.roots.set(kind, made);
    return made;
  }

  noteRows(root: RowsShown['root'], name: string, elements: readonly Element[]): void {
    this.rows.push({ root, name, elements });
  }

  /** Puts a value under a unique name. */
  add(kind: RootKind, wanted: string, value: Scalar | object): string {
    const name = this.freeName(kind, wanted);
    this.record(kind)[name] = value;
    return name;
  }

  freeName(kind: RootKind, wanted: string): string {
    let allocator = this.allocators.get(kind);
    if (!allocator) {
      allocator = new NameAllocator();
      this.allocators.set(kind, allocator);
    }
    return allocator.take(wanted);
  }
}
