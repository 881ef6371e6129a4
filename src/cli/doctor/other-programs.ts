/** Programs that people would call apps but no driver supports; and guesses about unreadable processes. */
import path from 'node:path';
import type { ProcessDetails, ProcessInfo } from '../../model/process.ts';

export interface OtherProgram {
  /** For people: `Python`, `Firefox`, `GTK program`. */
  readonly kind: string;
  readonly name: string;
}

/** Names of commands, with the name of their programs for people. */
export type Commands = readonly (readonly [RegExp, string])[];

/** By the name of the executable. */
const INTERPRETERS: Commands = [
  [/^(?:python|pypy)[\d.]*$/, 'Python'],
  [/^ruby[\d.]*$/, 'Ruby'],
  [/^php[\d.]*$/, 'PHP'],
  [/^bun$/, 'Bun'],
];
const UNPROBED: Commands = [[/^(?:firefox|thunderbird)(?:-esr|-bin)?$/, 'Firefox'], ...INTERPRETERS];
/** By mapped files; the first match counts. */
const TOOLKITS: Commands = [
  [/\/libgtk(?:-x11)?-[234](?:\.0)?\.so/, 'GTK program'],
  [/\/libQt[456]?(?:Gui|Widgets)\.so|\/libQt[56](?:Gui|Widgets)\.so/, 'Qt program'],
  [/\/lib(?:X11|xcb|wayland-client)\.so/, 'program with a window'],
];
const FIREFOX_LIBRARY = /\/libxul\.so$/;
const FIREFOX_CHILD = /^-(?:contentproc|appDir)$/;
/** Parts of a desktop and of browsers that are no apps, even with a window. */
const NO_APP =
  /^(?:Xorg|Xvfb|Xvnc|Xwayland|.*crashpad.*|at-spi.*|dbus-.*|gvfs.*|xdg-.*|ibus-.*|gsd-.*|goa-.*|gnome-keyring.*|evolution-.*|polkit.*|.*-portal.*|tracker-.*|pipewire.*|wireplumber|pulseaudio|xsettingsd|dconf-.*)$/;

/**
 * Options of Python, Ruby and Node that take code; options of Java and others that take a value; subcommands of Deno.
 */
const CODE = /^(?:-[a-zA-Z]?[ce]|--eval)$/;
const WITH_VALUE =
  /^(?:-cp|-classpath|--class-path|--module-path|--require|--import|--add-(?:opens|exports|modules)|-W|-X|-I)$/;
const SUBCOMMAND = /^(?:run|serve|task|test)$/;

/** Null if people would not call it an app. */
export function otherProgram(process: ProcessInfo, details: ProcessDetails | null): OtherProgram | null {
  const { exe, argv } = process;
  if (exe === null || details === null) return null;
  const file = path.basename(exe);
  if (details.modules.some((module) => FIREFOX_LIBRARY.test(module)))
    return argv.some((argument) => FIREFOX_CHILD.test(argument)) ? null : { kind: 'Firefox', name: file };
  if (NO_APP.test(file)) return null;
  const interpreter = kindBy(INTERPRETERS, file);
  if (interpreter !== null) return { kind: interpreter, name: scriptOf(argv) ?? file };
  for (const [library, kind] of TOOLKITS)
    if (details.modules.some((module) => library.test(module))) return { kind, name: file };
  return null;
}

/** The kind of program without a probe that a command runs, such as `Python`; null if unknown. */
export function unprobedKind(command: string): string | null {
  return kindBy(UNPROBED, command);
}

/**
 * For a process whose executable the kernel hides: the first word of its command line decides. `commands`: those that
 * drivers know. Null if that says nothing.
 */
export function looksLike({ argv }: ProcessInfo, commands: Commands): OtherProgram | null {
  const file = path.basename(argv[0] ?? '');
  const kind = kindBy([...commands, ...UNPROBED], file);
  if (kind === null) return null;
  const script = scriptOf(argv);
  // The argument of a browser is an address, or a profile.
  const name = script === null || /:|^https?$/.test(script) ? file : script;
  return { kind: `looks like ${kind}`, name };
}

function kindBy(list: Commands, file: string): string | null {
  return list.find(([pattern]) => pattern.test(file))?.[1] ?? null;
}

/** The first argument that is neither an option nor the value of one: a script, a class, or the module of `-m`. */
function scriptOf([program = '', ...args]: readonly string[]): string | null {
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    // The next argument is code.
    if (CODE.test(argument)) return `${path.basename(program)} ${argument}`;
    if (WITH_VALUE.test(argument)) at++;
    else if (argument !== '' && !argument.startsWith('-') && !SUBCOMMAND.test(argument)) return path.basename(argument);
  }
  return null;
}
