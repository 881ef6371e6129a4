/** How drivers make names for people out of those of files, classes and folders. */
import path from 'node:path';
import { readSmallText } from './plain-file.ts';

const DESKTOP_FOLDERS = ['/usr/share/applications', '/usr/local/share/applications'];
const TEMPORARY = /^\/(?:tmp|var\/tmp|run|dev\/shm)\//;

/** In a folder whose content is another after a restart. */
export function isTemporary(file: string): boolean {
  return TEMPORARY.test(`${file}/`);
}

/** A path that is the same after a restart: of what lies in a folder for temporary files only the name, less its numbers. */
export function lasting(file: string): string {
  if (!isTemporary(file)) return file;
  return path.basename(file).replace(/\d{3,}|[0-9a-f]{8,}/gi, '*');
}

/** One word of the plain ones says nothing, several do (`app-server` does not, `mail-server` does). */
export function isMeaningful(name: string, plainWords: ReadonlySet<string>): boolean {
  const words = wordsOf(name).map((word) => word.toLowerCase());
  return words.some((word) => word.length > 1 && !plainWords.has(word));
}

/** A single letter belongs to what follows it: JXplorer and eMail are one word each. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9]{2}|[0-9])([A-Z])(?!$)/g, '$1 $2')
    .replace(/([A-Z]{2})([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
}

/** `Jmeter` is JMeter where a jar, a class or an option around it spells it so. */
export function spelledAs(name: string, evidence: readonly string[], isOneWord = false): string {
  const letters = name.toLowerCase();
  for (const text of /^\w[a-z0-9]+$/.test(name) ? evidence : []) {
    // A package is written small, the class in it is not.
    const found = (text.match(new RegExp(letters, 'gi')) ?? []).find(
      (one) => /^.+[A-Z]/.test(one) && /[a-z]/.test(one),
    );
    if (found !== undefined) return isOneWord ? found : found.replace(/([a-z0-9]{2})([A-Z])/g, '$1 $2');
  }
  return name;
}

/** What the menu of the desktop calls the program of one of these names; null: it has no entry for any. */
export function desktopName(names: readonly string[], resolve: (path: string) => string): string | null {
  const ids = names.flatMap((name) => [wordsOf(name).join('-').toLowerCase(), wordsOf(name).join('').toLowerCase()]);
  for (const id of new Set(ids)) {
    if (!/^[\w-]+$/.test(id)) continue;
    for (const folder of DESKTOP_FOLDERS) {
      const [entry = ''] = (readSmallText(resolve(`${folder}/${id}.desktop`)) ?? '').split(/^\[(?!Desktop Entry\])/m);
      const shown = /^Name[ \t]*=[ \t]*(\S.{0,59})$/m.exec(entry)?.[1]?.trim();
      // An entry that says something else is that of another program.
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
