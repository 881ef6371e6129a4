import path from 'node:path';
import { withFileLock } from '../../store/file-lock.ts';
import { preparePrivateTarget } from '../../store/private-path.ts';
import { recordFile } from './daemon-record.ts';

/** Longer than a start takes, because the second command waits for the first. */
const LOCK_WAIT_MS = 45_000;

/** Only one process at a time starts, keeps or ends a daemon. */
export function withStartLock<T>(storageDir: string, work: () => Promise<T>): Promise<T> {
  preparePrivateTarget(recordFile(storageDir));
  return withFileLock(path.join(storageDir, 'up'), work, LOCK_WAIT_MS);
}
