/** Decides what a command needs so that it can be attached to. Most need nothing. */

import type { DriverRegistry } from '../../probes/registry.ts';
import { type Launch, type LaunchHelp, lookAtLaunch } from '../../probes/support/launch.ts';
import { unprobedKind } from '../doctor/other-programs.ts';

export interface LaunchPlan extends LaunchHelp {
  /** The started process may start the app as another one. */
  readonly isScript: boolean;
  /** False if it can never be read. Null if its kind is not known yet. */
  readonly hasProbe: boolean | null;
}

export function planLaunch(given: Parameters<typeof lookAtLaunch>[0], drivers: DriverRegistry): LaunchPlan {
  const launch: Launch = lookAtLaunch(given);
  const { isScript, args, env, names } = launch;
  const help = drivers.help(launch);
  if (help) return { ...help, isScript, hasProbe: true };
  const unprobed = names.map((name) => unprobedKind(name)).find((kind) => kind !== null);
  if (unprobed !== undefined)
    return { args, env, summary: `there is no probe for ${unprobed}`, remarks: [], isScript, hasProbe: false };
  const summary = isScript
    ? 'nothing was added, since it is not known what this script starts (a browser would need the options that substrate run -- <browser> adds)'
    : 'nothing was added';
  return { args, env, summary, remarks: [], isScript, hasProbe: null };
}
