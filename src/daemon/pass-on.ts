/** Passes the changes in the captures of an app to the feed of all apps. */
import type { ChangeFeed } from '../model/change-feed.ts';
import type { AppIdentity } from '../model/permissions.ts';
import type { KeyChange } from '../model/state-look.ts';
import type { Session } from './session.ts';

/** The users whose programs a key can select by name; null if there are no others. */
type Owners = ReadonlySet<number> | null;

export function identityOf(session: Session, owners: Owners): AppIdentity {
  const { appId, aliases, recognition, process } = session;
  return { appId, aliases, appName: recognition.appName, isForeign: owners !== null && !owners.has(process.uid) };
}

/** `changes` is null when the state is no longer known. */
export function passOn(
  { feed, owners = null }: { readonly feed?: ChangeFeed | undefined; readonly owners?: Owners },
  session: Session,
  changes: readonly KeyChange[] | null,
): void {
  const { pid } = session.process;
  if (changes === null) feed?.forgotten(pid);
  else if (feed !== undefined && session.head !== null) {
    const { captureId, capturedAt: timestamp } = session.head;
    feed.changed({ pid, app: identityOf(session, owners), captureId, timestamp, changes });
  }
}
