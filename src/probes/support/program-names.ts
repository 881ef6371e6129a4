/** How drivers make names for people out of those of files, classes and folders. */
import path from 'node:path';

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
export function isTelling(name: string, plainWords: ReadonlySet<string>): boolean {
  const words = wordsOf(name).map((word) => word.toLowerCase());
  return words.some((word) => word.length > 1 && !plainWords.has(word));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
}

/** A text with a space or of mixed case was written for people, unless it is a name of a class. */
export function presentable(name: string): string {
  if (/\s/.test(name.trim())) return name.trim();
  return wordsOf(name)
    .map((word) => (/^[a-z]/.test(word) ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word))
    .join(' ');
}
