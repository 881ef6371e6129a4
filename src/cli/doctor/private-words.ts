/**
 * Removes private words from the texts of a report: home folders, names of users and of this machine, keys, addresses.
 */

export interface PrivateWords {
  readonly homeDir: string;
  /** Names of users and of this machine. */
  readonly names: readonly string[];
}

/** Shorter names occur in ordinary words of messages. */
const SHORTEST_NAME = 3;
/** Names that reveal no person, and are words of our own messages. */
const COMMON = new Set(['root', 'user', 'node', 'localhost', 'daemon', 'java', 'dotnet', 'admin']);

export function redactorOf({ homeDir, names }: PrivateWords): (text: string) => string {
  const homes = [...new Set([homeDir, homeDir.replace(/\/+$/, '')])].filter((folder) => folder.length > 1);
  const named = [...new Set(names)].filter((name) => name.length >= SHORTEST_NAME && !COMMON.has(name.toLowerCase()));
  const words =
    named.length === 0 ? null : new RegExp(`(?<![\\w-])(?:${named.map(escaped).join('|')})(?![\\w-])`, 'gi');
  return (text) => {
    let clean = text;
    for (const folder of homes) clean = clean.replaceAll(folder, '~');
    clean = clean
      .replace(/\bsk_substrate_\w+/g, '<key>')
      .replace(/(\/(?:home|Users)\/)[^/\s:"',;]+/g, '$1<user>')
      .replace(/\/run\/user\/\d+/g, '/run/user/<uid>')
      .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1<user>@')
      .replace(/\b((?:https?|wss?|file):\/\/[^\s?#"']*)[?#][^\s"']*/gi, '$1?…');
    return words === null ? clean : clean.replace(words, '<name>');
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Redacts every text in a value at any depth, including keys of objects. */
export function redactedValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => redactedValue(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [redact(key), redactedValue(each, redact)]));
}

/** Keeps the program and the names of its options, because values may be private. */
export function redactedCommand(argv: readonly string[]): string {
  const [program = '', ...rest] = argv;
  const options = rest.map((argument) => {
    // Switches of a JVM decide whether it can be attached to, and reveal nothing of the app.
    if (/^-XX:[+-]\w+$/.test(argument) || /^-X(?:int|comp|mixed|rs|share:\w+)$/.test(argument)) return argument;
    const name = /^-{1,2}[A-Za-z][A-Za-z-]*/.exec(argument)?.[0];
    if (name === undefined) return '…';
    return name === argument ? name : `${name}…`;
  });
  return [program.split('/').at(-1) ?? '', ...options].join(' ');
}
