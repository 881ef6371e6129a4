/** Parses the command line of `java`: the program that it runs, and its options. */
import path from 'node:path';

/** Options that take the next argument as their value. */
const OPTIONS_WITH_VALUE = new Set(
  (
    '-cp -classpath --class-path -p --module-path --upgrade-module-path --add-modules --limit-modules --add-exports ' +
    '--add-opens --add-reads --patch-module --enable-native-access --source -d --describe-module'
  ).split(' '),
);
const CLASS_PATH = new Set(['-cp', '-classpath', '--class-path']);
/** Anybody may have written an argument file, so the number of arguments is limited. */
const MAX_ARGUMENTS = 20_000;

export interface JavaCommand {
  /**
   * The program that is run: a jar (its path), a class, a module (`name` or `name/class`), a source file; null if the
   * command does not say.
   */
  readonly program: { readonly kind: 'jar' | 'class' | 'module' | 'source'; readonly name: string } | null;
  /** Arguments of the program itself. */
  readonly args: readonly string[];
  /** Options before the program, with their values where these are arguments of their own. */
  readonly options: readonly string[];
  readonly classPath: string | null;
}

/** `argv` begins with the command. `readText` returns the text of an argument file (`@file`), or null. */
export function parseJavaCommand(argv: readonly string[], readText: (file: string) => string | null): JavaCommand {
  const rest = expand(argv.slice(1), readText);
  const options: string[] = [];
  let classPath: string | null = null;
  for (let at = 0; at < rest.length; at++) {
    const argument = rest[at] ?? '';
    const next = rest[at + 1];
    const found = (kind: 'jar' | 'class' | 'module' | 'source', name: string, used: number): JavaCommand => ({
      program: { kind, name },
      args: rest.slice(at + used),
      options,
      classPath,
    });
    if (argument === '-jar' && next !== undefined) return found('jar', next, 2);
    if ((argument === '-m' || argument === '--module') && next !== undefined) return found('module', next, 2);
    if (argument.startsWith('--module=')) return found('module', argument.slice('--module='.length), 1);
    const isSource = argument.endsWith('.java') || options.some((option) => /^--source(?:=|$)/.test(option));
    if (isSource && argument !== '' && !argument.startsWith('-')) return found('source', argument, 1);
    // A class may be named with slashes.
    if (!argument.startsWith('-') && argument !== '') return found('class', argument.replaceAll('/', '.'), 1);
    options.push(argument);
    if (argument.startsWith('--class-path=')) classPath = argument.slice('--class-path='.length);
    if (!OPTIONS_WITH_VALUE.has(argument) || next === undefined) continue;
    if (CLASS_PATH.has(argument)) classPath = next;
    options.push(next);
    at++;
  }
  return { program: null, args: [], options, classPath };
}

/** Parses the command as HotSpot's performance data has it: the program and its arguments, without options. */
export function parsePerfCommand(command: string): Pick<JavaCommand, 'program' | 'args'> {
  const [name = '', ...args] = command.trim().split(' ');
  if (name === '') return { program: null, args };
  // Java runs a source file by this launcher class.
  if (/^jdk\.compiler\/.*\.launcher\./.test(name) && args[0] !== undefined)
    return { program: { kind: 'source', name: args[0] }, args: args.slice(1) };
  if (/\.(?:jar|war)$/i.test(name)) return { program: { kind: 'jar', name }, args };
  return { program: { kind: name.includes('/') ? 'module' : 'class', name }, args };
}

/** The value of `-Dname=value`; the last one counts. */
export function property(options: readonly string[], name: string): string | null {
  return options.findLast((option) => option.startsWith(`-D${name}=`))?.slice(name.length + 3) ?? null;
}

/** Replaces argument files by their arguments. After the program an `@` belongs to the program's own arguments. */
function expand(argv: readonly string[], readText: (file: string) => string | null): string[] {
  const all: string[] = [];
  let isBeforeProgram = true;
  for (const [at, argument] of argv.entries()) {
    if (all.length > MAX_ARGUMENTS) break;
    const file = isBeforeProgram && /^@(?!@)(.+)$/s.exec(argument)?.[1];
    if (file) all.push(...splitArgumentFile(readText(file) ?? ''));
    else all.push(isBeforeProgram ? argument.replace(/^@@/, '@') : argument);
    const previous = argv[at - 1] ?? '';
    if (!file && !argument.startsWith('-') && !OPTIONS_WITH_VALUE.has(previous)) isBeforeProgram = false;
  }
  return all;
}

/** An argument file has words, `"quoted ones"` with backslash escapes, and `# comments` to the end of the line. */
export function splitArgumentFile(text: string): string[] {
  const words: string[] = [];
  const TOKEN = /#[^\n]*|((?:"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|[^\s"'#]+)+)/g;
  for (const [, word] of text.matchAll(TOKEN)) {
    if (word !== undefined) words.push(unquote(word));
    if (words.length > MAX_ARGUMENTS) break;
  }
  return words;
}

function unquote(word: string): string {
  return word.replace(/"((?:[^"\\]|\\[\s\S])*)"?|'((?:[^'\\]|\\[\s\S])*)'?/g, (_, double?: string, single?: string) =>
    // A backslash at the end of a line joins the next line, without its indentation.
    (double ?? single ?? '').replace(/\\\r?\n[ \t]*|\\([\s\S])/g, (_whole, character?: string) => character ?? ''),
  );
}

/** The entries of a class path as full paths; a wildcard stands for its folder. */
export function classPathEntries(classPath: string | null, cwd: string): string[] {
  if (classPath === null) return [];
  return classPath
    .split(':')
    .filter((entry) => entry !== '')
    .map((entry) => path.resolve(cwd, entry.replace(/\/?\*$/, '') || '.'));
}
