/** Programs that people would call apps and no driver knows; and what a process looks like that cannot be looked into. */
import path from 'node:path';
import type { ProcessDetails, ProcessInfo } from '../../model/process.ts';

export interface OtherProgram {
  /** For people: `Python`, `Firefox`, `GTK program`. */
  readonly kind: string;
  readonly name: string;
}

/** Names of commands, and what a person calls what they run. */
export type Commands = readonly (readonly [RegExp, string])[];

/** By the name of the executable. */
const INTERPRETERS: Commands = [
  [/^(?:python|pypy)[\d.]*$/, 'Python'],
  [/^ruby[\d.]*$/, 'Ruby'],
  [/^php[\d.]*$/, 'PHP'],
  [/^bun$/, 'Bun'],
];
const UNPROBED: Commands = [[/^(?:firefox|thunderbird)(?:-esr|-bin)?$/, 'Firefox'], ...INTERPRETERS];
/** By what it has mapped: the first that fits. */
const TOOLKITS: Commands = [
  [/\/libgtk(?:-x11)?-[234](?:\.0)?\.so/, 'GTK program'],
  [/\/libQt[456]?(?:Gui|Widgets)\.so|\/libQt[56](?:Gui|Widgets)\.so/, 'Qt program'],
  [/\/lib(?:X11|xcb|wayland-client)\.so/, 'program with a window'],
];
const FIREFOX_LIBRARY = /\/libxul\.so$/;
const FIREFOX_CHILD = /^-(?:contentproc|appDir)$/;
/** Parts of a desktop and of browsers that have a window at most by accident. */
const NO_APP =
  /^(?:Xorg|Xvfb|Xvnc|Xwayland|.*crashpad.*|at-spi.*|dbus-.*|gvfs.*|xdg-.*|ibus-.*|gsd-.*|goa-.*|gnome-keyring.*|evolution-.*|polkit.*|.*-portal.*|tracker-.*|pipewire.*|wireplumber|pulseaudio|xsettingsd|dconf-.*)$/;

/** Options of Python, Ruby and Node that take code; of Java and others that take a value; and what Deno begins with. */
const CODE = /^(?:-[a-zA-Z]?[ce]|--eval)$/;
const WITH_VALUE =
  /^(?:-cp|-classpath|--class-path|--module-path|--require|--import|--add-(?:opens|exports|modules)|-W|-X|-I)$/;
const SUBCOMMAND = /^(?:run|serve|task|test)$/;

/** Null: not what people call an app. */
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

/** What a command runs for which there is no probe: `Python`; null: nothing that is known. */
export function unprobedKind(command: string): string | null {
  return kindBy(UNPROBED, command);
}

/**
 * Of a process whose executable the kernel does not show: what the first word of its command line says. `commands`: those
 * that drivers know. Null: it says nothing.
 */
export function looksLike({ argv }: ProcessInfo, commands: Commands): OtherProgram | null {
  const file = path.basename(argv[0] ?? '');
  const kind = kindBy([...commands, ...UNPROBED], file);
  if (kind === null) return null;
  const script = scriptOf(argv);
  // What a browser is given is an address, or a profile.
  const name = script === null || /:|^https?$/.test(script) ? file : script;
  return { kind: `looks like ${kind}`, name };
}

function kindBy(list: Commands, file: string): string | null {
  return list.find(([pattern]) => pattern.test(file))?.[1] ?? null;
}

/** The first argument that is neither an option nor belongs to one: a script, a class, or the module of `-m`. */
function scriptOf([program = '', ...args]: readonly string[]): string | null {
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    // What follows is a text of the program itself.
    if (CODE.test(argument)) return `${path.basename(program)} ${argument}`;
    if (WITH_VALUE.test(argument)) at++;
    else if (argument !== '' && !argument.startsWith('-') && !SUBCOMMAND.test(argument)) return path.basename(argument);
  }
  return null;
}
