/** The apps that a name may mean: an app_id, the name of an app, or the beginning of either. */
import type { AppSummary } from './types.ts';

/** Of the strictest kind that matches at all. */
export function appsNamed(apps: readonly AppSummary[], wanted: string): readonly AppSummary[] {
  const meant = plain(wanted);
  const kinds = [
    (app: AppSummary) => app.app_id === wanted,
    (app: AppSummary) => plain(app.app_name) === meant,
    (app: AppSummary) => meant !== '' && [app.app_id, app.app_name].some((name) => plain(name).startsWith(meant)),
  ];
  return kinds.map((isNamed) => apps.filter(isNamed)).find((found) => found.length > 0) ?? [];
}

/** `TeaHouse`, `tea-house` and `Tea House` are the same to people. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s._-]+/g, '');
}
