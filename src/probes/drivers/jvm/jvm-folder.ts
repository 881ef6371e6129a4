/** The folder of an agent in a Java program, and the names of its files. */
import type { FolderKind } from '../../support/agent-files/agent-folder.ts';
import { type HeldFolder, hasListener } from '../../support/agent-files/held-folder.ts';

/** HotSpot uses only this folder for attaches, so the agent's files are there, too. */
export const TMP = '/tmp';
export const SOCKET = 'agent.sock';
export const FIFO_IN = 'in';
export const FIFO_OUT = 'out';
/**
 * The daemon listens on it so that another daemon sees that the FIFOs are in use: a FIFO cannot distinguish the two.
 */
export const LOCK = 'daemon.sock';

export const JVM_FOLDER: FolderKind = {
  prefix: 'substrate-jvm-',
  program: 'Java program',
  channel: new Set([SOCKET, FIFO_IN, FIFO_OUT, LOCK]),

  /** Removes the attach socket, which a killed JVM leaves behind. A later JVM with the same pid listens on it. */
  async removeRemains(tmp: HeldFolder, pid: number, uid: number): Promise<void> {
    const name = `.java_pid${pid}`;
    try {
      const found = tmp.lookAt(name);
      if (!found?.isSocket() || found.uid !== uid || (await hasListener(tmp.at(name), found))) return;
      if (tmp.lookAt(name)?.ino === found.ino) tmp.remove(name);
    } catch {
      // The container is gone, with its file system.
    }
  },
};
