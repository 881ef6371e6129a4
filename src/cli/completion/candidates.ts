/** The candidates for the end of an unfinished command line, read from the commands themselves. */
import type { Argument, Command, Option } from 'commander';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Candidates that need the daemon or the shell. */
  readonly wanted:
    | { readonly kind: 'apps' }
    | { readonly kind: 'actions'; readonly app: string }
    | { readonly kind: 'parameters'; readonly app: string; readonly action: string; readonly given: readonly string[] }
    | { readonly kind: 'files' }
    | null;
}

const NOTHING: Completion = { candidates: [], wanted: null };

/** `words`: those after the program's name; the last is being typed, and may be empty. */
export function completionOf(program: Command, words: readonly string[]): Completion {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  let command = program;
  const operands: string[] = [];
  let open: Option | null = null;
  let onlyOperands = false;
  for (const word of before) {
    if (open !== null) open = null;
    else if (word === '--') onlyOperands = true;
    else if (!onlyOperands && word.startsWith('-')) {
      const option = command.options.find(({ long, short }) => word === long || word === short);
      if (option !== undefined && (option.required || option.optional)) open = option;
    } else {
      const child = operands.length === 0 ? commandsOf(command).find((known) => known.name() === word) : undefined;
      if (child) command = child;
      else operands.push(word);
    }
  }
  if (open !== null) return valuesOf(open);
  if (!onlyOperands && current.startsWith('-')) return { candidates: optionsOf(command), wanted: null };
  return operandsOf(command, operands);
}

function commandsOf(command: Command): readonly Command[] {
  // Commander does not expose hidden commands; ours begin with two underscores.
  return command.commands.filter((child) => !child.name().startsWith('__'));
}

function optionsOf(command: Command): Candidate[] {
  const own = command.options.filter(({ hidden, long }) => !hidden && long);
  return [
    ...own.map(({ long, description }) => ({ value: long ?? '', description })),
    { value: '--help', description: 'show what is possible' },
  ];
}

function valuesOf(option: Option): Completion {
  if (option.argChoices) return { candidates: option.argChoices.map(plain), wanted: null };
  return /[<[]file[>\]]/.test(option.flags) ? { candidates: [], wanted: { kind: 'files' } } : NOTHING;
}

function operandsOf(command: Command, operands: readonly string[]): Completion {
  const children = operands.length === 0 ? commandsOf(command) : [];
  const candidates = children.map((child) => ({
    value: child.name(),
    description: child.summary() || child.description(),
  }));
  const all = command.registeredArguments;
  const last = all.at(-1);
  const argument = all[operands.length] ?? (last?.variadic ? last : undefined);
  if (!argument) return { candidates, wanted: null };
  if (argument.argChoices) return { candidates: [...candidates, ...argument.argChoices.map(plain)], wanted: null };
  return { candidates, wanted: wantedFor(argument, operands) };
}

/** Arguments of the same name mean the same in every command. */
function wantedFor(argument: Argument, operands: readonly string[]): Completion['wanted'] {
  switch (argument.name()) {
    case 'app':
      return { kind: 'apps' };
    case 'action':
      return { kind: 'actions', app: operands[0] ?? '' };
    case 'arguments': {
      const [app = '', action = '', ...given] = operands;
      return { kind: 'parameters', app, action, given };
    }
    case 'file':
      return { kind: 'files' };
    default:
      return null;
  }
}

function plain(value: string): Candidate {
  return { value, description: '' };
}
