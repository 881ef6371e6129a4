/** Resolves a pid or app_id, even an earlier one, to a running app. */
import { isCalled } from '../model/app-id.ts';
import { SubstrateError } from '../model/errors.ts';
import type { Session } from './session.ts';
import type { TrackedApp } from './tracked-app.ts';

interface Wanted {
  readonly pid: number | undefined;
  readonly appId: string | undefined;
}

/** Null if neither resolves. Among several instances, the newest with state. */
export function resolveSession(
  apps: readonly TrackedApp[],
  { pid, appId }: Wanted,
  startedMs: (app: TrackedApp) => number,
): Session | null {
  const byPid = apps.find(({ session }) => session.process.pid === pid)?.session;
  if (byPid) {
    if (appId === undefined || isCalled(byPid, appId)) return byPid;
    throw new SubstrateError('invalid_request', `pid ${pid} is ${byPid.appId}, not ${appId}. Name one of the two.`);
  }
  const found = appId === undefined ? [] : called(apps, appId);
  const ids = new Set(found.map(({ session }) => session.appId));
  if (ids.size > 1) {
    const why = `${appId} was the id of several apps. Name one of ${[...ids].join(', ')}.`;
    throw new SubstrateError('invalid_request', why);
  }
  const instances = byAge(found, startedMs);
  if (new Set(instances.map(({ process }) => process.uid)).size > 1) {
    const pids = instances.map(({ process }) => process.pid).join(', ');
    throw new SubstrateError('invalid_request', `Different users run ${appId}: name one pid of ${pids}.`);
  }
  return instances.find(({ head }) => head !== null) ?? instances[0] ?? null;
}

/** None if several apps had the id before. */
export function instancesOf(apps: readonly TrackedApp[], appId: string): Session[] {
  const found = called(apps, appId).map(({ session }) => session);
  return found.every((session) => session.appId === found[0]?.appId) ? found : [];
}

/** A current owner of the id wins over an earlier one. */
function called(apps: readonly TrackedApp[], appId: string): readonly TrackedApp[] {
  const exact = apps.filter(({ session }) => session.appId === appId);
  return exact.length > 0 ? exact : apps.filter(({ session }) => isCalled(session, appId));
}

/** The newest first. */
function byAge(apps: readonly TrackedApp[], startedMs: (app: TrackedApp) => number): Session[] {
  const instances = apps.map((app) => ({ session: app.session, startedMs: startedMs(app) }));
  // If two started in the same moment, the one found last.
  return instances
    .reverse()
    .sort((one, other) => other.startedMs - one.startedMs)
    .map(({ session }) => session);
}
