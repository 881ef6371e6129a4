/** The app that a person means: by pid, by app_id, or by the beginning of its name. */
import type { AppSummary, Substrate } from '../client/node.ts';
import { UsageError } from './failures.ts';

export async function findApp(substrate: Substrate, wanted: string): Promise<AppSummary> {
  if (/^\d+$/.test(wanted)) return substrate.app(Number(wanted));
  const all = (await substrate.apps()).filter(({ probe_status }) => probe_status !== 'detached');
  const lower = wanted.toLowerCase();
  const names = [
    (app: AppSummary) => app.app_id === wanted,
    (app: AppSummary) => app.app_name.toLowerCase() === lower,
    (app: AppSummary) => app.app_id.startsWith(lower) || app.app_name.toLowerCase().startsWith(lower),
  ];
  for (const isNamed of names) {
    const found = all.filter(isNamed);
    // Several processes of one app: the newest that can be read.
    if (new Set(found.map(({ app_id }) => app_id)).size === 1)
      return found.findLast(({ has_state }) => has_state) ?? found[found.length - 1] ?? substrate.app(wanted);
    if (found.length > 1)
      throw new UsageError(
        `"${wanted}" may be any of ${found.map(({ pid, app_id }) => `${app_id} (pid ${pid})`).join(', ')}.`,
      );
  }
  return substrate.app(wanted);
}
