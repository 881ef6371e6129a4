/** Finds the apps that a name may mean: an app_id, the name of an app, words of it, or the beginning of one. */
import type { AppSummary } from './types.ts';

const APP_ID = /-([0-9a-f]{16})$/;

/** False if it may be a name. */
export function isAppId(text: string): boolean {
  return APP_ID.test(text);
}

/** The matches of the strictest kind that matches at all. */
export function appsNamed(apps: readonly AppSummary[], wanted: string): readonly AppSummary[] {
  const meant = plain(wanted);
  const digits = APP_ID.exec(wanted)?.[1];
  const kinds = [
    ({ app_id }: AppSummary) => app_id === wanted,
    // An earlier id, or the id with its earlier name.
    ({ app_id, aliases = [] }: AppSummary) =>
      [app_id, ...aliases].some((id) => digits !== undefined && id.endsWith(`-${digits}`)),
    ({ app_name }: AppSummary) => plain(app_name) === meant,
    (app: AppSummary) => meant !== '' && namesOf(app).some((name) => runsOfWords(name).includes(meant)),
    (app: AppSummary) =>
      meant !== '' && namesOf(app).some((name) => runsOfWords(name).some((run) => run.startsWith(meant))),
  ];
  return kinds.map((isNamed) => apps.filter(isNamed)).find((found) => found.length > 0) ?? [];
}

const namesOf = ({ app_id, app_name }: AppSummary) => [app_name, app_id];

/** `Sweet Home 3D` is `sweethome3d`, `sweethome`, `sweet`, `home3d`, …: the names that people may use. */
function runsOfWords(name: string): string[] {
  const words = name.split(SEPARATORS).map(plain);
  return words.flatMap((_, from) =>
    words.slice(from).map((_word, more) => words.slice(from, from + more + 1).join('')),
  );
}

const SEPARATORS = /[\s._/@:-]+/;

/** `TeaHouse`, `tea-house` and `Tea House` are the same to people. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(new RegExp(SEPARATORS, 'g'), '');
}
