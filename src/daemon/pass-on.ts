/** Hands what the captures of an app change to whoever follows all apps. */
import type { ChangeFeed } from '../model/change-feed.ts';
import type { AppIdentity } from '../model/permissions.ts';
import type { KeyChange } from '../model/state-look.ts';
import type { Session } from './session.ts';

export function passOn(
  feed: ChangeFeed | undefined,
  identityOf: (session: Session) => AppIdentity,
): (session: Session, changes: readonly KeyChange[] | null) => void {
  return (session, changes) => {
    const { pid } = session.process;
    if (changes === null) feed?.forgotten(pid);
    else if (feed !== undefined && session.head !== null) {
      const { captureId, capturedAt: timestamp } = session.head;
      feed.changed({ pid, app: identityOf(session), captureId, timestamp, changes });
    }
  };
}
