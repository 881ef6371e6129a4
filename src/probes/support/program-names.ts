/** Makes names for people out of the names of files, classes and folders. */
import path from 'node:path';
import { readSmallText } from './plain-file.ts';

const DESKTOP_FOLDERS = ['/usr/share/applications', '/usr/local/share/applications'];
const TEMPORARY = /^\/(?:tmp|var\/tmp|run|dev\/shm)\//;

/** True in a folder whose content changes with a restart. */
export function isTemporary(file: string): boolean {
  return TEMPORARY.test(`${file}/`);
}

/**
 * A path that is the same after a restart: a file in a folder for temporary files has only its name, without numbers.
 */
export function lasting(file: string): string {
  if (!isTemporary(file)) return file;
  return path.basename(file).replace(/\d{3,}|[0-9a-f]{8,}/gi, '*');
}

/** A name is meaningful if one of its words is not plain (`app-server` is not, `mail-server` is). */
export function isMeaningful(name: string, plainWords: ReadonlySet<string>): boolean {
  const words = wordsOf(name).map((word) => word.toLowerCase());
  return words.some((word) => word.length > 1 && !plainWords.has(word));
}

/** A single letter belongs to the word after it: JXplorer and eMail are one word each. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9]{2}|[0-9])([A-Z])(?!$)/g, '$1 $2')
    .replace(/([A-Z]{2})([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
}

/** `Jmeter` becomes JMeter where a jar, a class or an option around it spells it so. */
export function spelledAs(name: string, evidence: readonly string[], isOneWord = false): string {
  const lowercase = name.toLowerCase();
  for (const text of /^\w[a-z0-9]+$/.test(name) ? evidence : []) {
    // A package is in lower case, its class is not.
    const found = (text.match(new RegExp(lowercase, 'gi')) ?? []).find(
      (one) => /^.+[A-Z]/.test(one) && /[a-z]/.test(one),
    );
    if (found !== undefined) return isOneWord ? found : found.replace(/([a-z0-9]{2})([A-Z])/g, '$1 $2');
  }
  return name;
}

/** The name of a program in the desktop menu, by one of these names; null if there is no entry. */
export function desktopName(names: readonly string[], resolve: (path: string) => string): string | null {
  const ids = names.flatMap((name) => [wordsOf(name).join('-').toLowerCase(), wordsOf(name).join('').toLowerCase()]);
  for (const id of new Set(ids)) {
    if (!/^[\w-]+$/.test(id)) continue;
    for (const folder of DESKTOP_FOLDERS) {
      const [entry = ''] = (readSmallText(resolve(`${folder}/${id}.desktop`)) ?? '').split(/^\[(?!Desktop Entry\])/m);
      const shown = /^Name[ \t]*=[ \t]*(\S.{0,59})$/m.exec(entry)?.[1]?.trim();
      // An entry with another name belongs to another program.
      if (shown && names.some((name) => comparable(name) === comparable(shown))) return shown;
    }
  }
  return null;
}

const comparable = (name: string) => name.toLowerCase().replace(/[\s_.-]+/g, '');

/** A text with a space or of mixed case was written for people, unless it is a name of a class. */
export function presentable(name: string): string {
  if (/\s/.test(name.trim())) return name.trim();
  return wordsOf(name)
    .map((word) => (/^[a-z][^A-Z]*$/.test(word) ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word))
    .join(' ');
}
