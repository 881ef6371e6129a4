/** Filters and sorts the list of apps. */
import type { AppSummary } from '../../client/index.ts';

export type Order = 'name' | 'activity';

export interface Choice {
  readonly filter: string;
  readonly order: Order;
  /** Changes in the last minute. */
  readonly activityOf: (pid: number) => number;
}

export function chosenApps(apps: readonly AppSummary[], { filter, order, activityOf }: Choice): AppSummary[] {
  const words = filter.toLowerCase().split(/\s+/);
  const isWanted = (app: AppSummary) => {
    const text = `${app.app_name} ${app.app_id} ${app.runtime_name} ${app.pid} ${app.current_url ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const byName = (left: AppSummary, right: AppSummary) =>
    left.app_name.localeCompare(right.app_name) || left.pid - right.pid;
  return apps
    .filter(isWanted)
    .sort(
      (left, right) =>
        Number(isEnded(left)) - Number(isEnded(right)) ||
        (order === 'activity' ? activityOf(right.pid) - activityOf(left.pid) : 0) ||
        byName(left, right),
    );
}

export function isEnded({ probe_status }: AppSummary): boolean {
  return probe_status === 'detached';
}
