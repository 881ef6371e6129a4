/** Checks the arguments of an action on a control, as far as the control itself is not needed for that. */
import type { ActionArguments } from '../../../model/raw-action.ts';
import type { Role, UiOperation } from './screen-facts.ts';
import { shorten } from './words.ts';

const MAX_QUOTED = 100;

/** The request to an agent. */
export interface UiTarget {
  readonly operation: UiOperation;
  readonly id: number;
  readonly role: Role;
  /** For people: `the button "Save"`. */
  readonly called: string;
  /** The text of the control: with another text it would be another control. */
  readonly words: string | undefined;
  /** The titles of the columns, and the names that callers use for them. */
  readonly columns: readonly (readonly [title: string, name: string])[];
}

/** The message begins with the name of a parameter. */
export class UnusableInputError extends Error {
  override readonly name = 'UnusableInputError';
}

/** The arguments for the agent, which itself checks limits of the control such as its range. */
export function readInput({ operation, role, columns }: UiTarget, args: ActionArguments): Record<string, unknown> {
  switch (operation) {
    case 'set':
      return { value: setValue(role, args) };
    case 'choose':
      return { value: textOf(args, 'value') };
    case 'select':
    case 'open':
    case 'expand':
    case 'collapse':
      return { index: wholeOf(args, 'index') };
    case 'tick':
      return { index: wholeOf(args, 'index'), value: flagOf(args, 'value') };
    case 'set_cell': {
      const name = textOf(args, 'column');
      const column = columns.findIndex((known) => known[1] === name);
      if (column < 0) throw new UnusableInputError(`column: there is no "${shorten(name, MAX_QUOTED)}" to choose`);
      return { index: wholeOf(args, 'row'), column, title: columns[column]?.[0], value: args.value ?? null };
    }
    default:
      return {};
  }
}

function setValue(role: Role, args: ActionArguments): unknown {
  if (role === 'check' || role === 'toggle') return flagOf(args, 'value');
  if (role === 'slider') return wholeOf(args, 'value');
  return role === 'spinner' ? args.value : textOf(args, 'value');
}

/** A number is accepted as text. */
function textOf(args: ActionArguments, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new UnusableInputError(`${name} must be a text`);
}

function flagOf(args: ActionArguments, name: string): boolean {
  const value = args[name];
  if (typeof value === 'boolean') return value;
  throw new UnusableInputError(`${name} must be true or false`);
}

function wholeOf(args: ActionArguments, name: string): number {
  const value = args[name];
  if (typeof value !== 'number') throw new UnusableInputError(`${name} must be a number`);
  if (!Number.isSafeInteger(value)) throw new UnusableInputError(`${name} must be a whole number`);
  return value;
}
