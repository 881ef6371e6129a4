import type { ProcessInfo } from '../model/process.ts';

/** The daemon's name in process lists. */
export const DAEMON_TITLE = 'substrate';

/**
 * True for a daemon or a command of ours. Two daemons that probed each other would show each other's view of themselves
 * without end.
 */
export function isOurs({ name, argv }: ProcessInfo): boolean {
  return name === DAEMON_TITLE || NPX.test(argv.join(' ')) || runsOurScript(argv);
}

/** The title of npm while it runs one of our commands. */
const NPX = /^npm exec (?:-\S+ )*substrated?(?:@\S+)?(?: |$)/;
const OUR_SCRIPT = /(?:^|[/\\])substrate(?:d|\.js)?$/;

/** Node's own options come before the script, and the argument after an option may be its value. */
function runsOurScript(argv: readonly string[]): boolean {
  for (let at = 1; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (argument.startsWith('-')) continue;
    if (OUR_SCRIPT.test(argument)) return true;
    if (at === 1 || !argv[at - 1]?.startsWith('-')) return false;
  }
  return false;
}

/** `exclude` of the configuration: pids, and names of processes or executables. Names of apps are not known yet. */
export function isExcluded({ pid, name, exe }: ProcessInfo, exclude: readonly (string | number)[]): boolean {
  const exeName = exe?.split(/[\\/]/).at(-1);
  return exclude.some((entry) => entry === pid || entry === name || entry === exeName || entry === String(pid));
}

const MAX_GENERATIONS = 20;
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'busybox']);

/**
 * The Node programs that started this daemon (npm, a start script), through any shells between them: at that moment
 * they are our tools, not apps. The chain ends at the first other program, such as a terminal or an editor.
 */
export function findAncestors(processes: readonly ProcessInfo[], self: { readonly pid: number } = process): number[] {
  const byPid = new Map(processes.map((info) => [info.pid, info]));
  const own = byPid.get(self.pid);
  const ancestors: number[] = [];
  let parent = own && byPid.get(own.ppid);
  // Limited: a parent's pid may belong to another process by now, even to one of its children.
  for (let generation = 0; parent && parent.pid > 1 && generation < MAX_GENERATIONS; generation++) {
    const name = parent.exe?.split('/').at(-1) ?? parent.name;
    if (parent.exe !== null && parent.exe === own?.exe) ancestors.push(parent.pid);
    else if (!SHELLS.has(name)) break;
    parent = byPid.get(parent.ppid);
  }
  return ancestors;
}
