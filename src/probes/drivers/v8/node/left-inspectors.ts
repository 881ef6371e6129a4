/**
 * Inspectors that a daemon has opened and not closed: it was killed before its agent was in, or the program was too
 * busy to open it in time. Any program of this machine could connect to them, and they occupy the port that all others
 * need. So the next daemon closes them before it does anything else, and so does the next attach that finds the port
 * taken.
 */
import type { ProcessInspector, ProcessNetwork } from '../../../../model/process.ts';
import { CdpConnection } from '../cdp/cdp-connection.ts';
import { askInspector, isInspectorPort, waitUntil } from './find-inspector.ts';
import { CALL_TIMEOUT_MS, closeInspector, MAX_ANSWER_BYTES } from './inspector-calls.ts';
import { exclusively } from './port-lock.ts';
import { findMarks, isOurMark, type LeftMark, removeLeftMark } from './signal-mark.ts';

/** All of them share one port, so there are hardly more than one or two; but whoever likes can make such folders. */
const MAX_LOOKED_AT = 50;
const CLOSE_WAIT_MS = 2000;
const NEVER = new AbortController().signal;

/** Never rejects. */
export async function closeLeftInspectors(inspect: ProcessInspector): Promise<void> {
  const networks = new Map(marksOfOpen(inspect).map(({ ref }) => [inspect.network(ref).id, inspect.network(ref)]));
  for (const network of networks.values()) {
    // A daemon that is at it now has its turn, and closes it itself.
    await exclusively(network, async (isOurTurn) => {
      if (isOurTurn) await closeMarked(inspect, network);
      // Its mark stays: the next daemon, or the next attach, tries again.
    }).catch(() => undefined);
  }
}

/** For those who have their turn in this network. Never rejects. */
export async function closeMarked(inspect: ProcessInspector, { id }: ProcessNetwork): Promise<void> {
  const marks = marksOfOpen(inspect).filter(({ ref }) => inspect.network(ref).id === id);
  // Its mark stays: the next daemon, or the next attach, tries again.
  for (const mark of marks) await closeLeft(mark, inspect).catch(() => undefined);
}

function marksOfOpen(inspect: ProcessInspector): LeftMark[] {
  const left = findMarks().filter(({ ref }) => inspect.isAlive(ref));
  return left.slice(0, MAX_LOOKED_AT).filter((mark) => inspectorOf(mark, inspect).length > 0);
}

const inspectorOf = ({ ref, ports }: LeftMark, inspect: ProcessInspector) =>
  inspect.listeners(ref).filter(isInspectorPort(ports));

async function closeLeft(mark: LeftMark, inspect: ProcessInspector): Promise<void> {
  const details = inspect.details(mark.ref);
  if (!details || !isOurMark(mark, details.effectiveUid)) return;
  const network = inspect.network(mark.ref);
  const found = await askInspector(network, inspectorOf(mark, inspect));
  if (found === null) return;
  const connection = await CdpConnection.open(network, found.url, CALL_TIMEOUT_MS, MAX_ANSWER_BYTES);
  try {
    if (!(await closeInspector(connection, details.namespacePid))) return;
    removeLeftMark(mark);
  } finally {
    await connection.close();
  }
  const port = Number(new URL(found.url).port);
  const isClosed = () => !inspect.listeners(mark.ref).some((listener) => listener.port === port) || null;
  await waitUntil(mark.ref, { inspect, abort: NEVER }, isClosed, CLOSE_WAIT_MS);
}
