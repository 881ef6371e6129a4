/** The folder of an agent in a Java program, and the names of what is in it. */
import type { FolderKind } from '../../support/agent-files/agent-folder.ts';
import { type HeldFolder, hasListener } from '../../support/agent-files/held-folder.ts';

/** HotSpot uses no other folder for its attaches, so all files of the agent are there, too. */
export const TMP = '/tmp';
export const SOCKET = 'agent.sock';
export const FIFO_IN = 'in';
export const FIFO_OUT = 'out';
/** While the daemon listens on it, another one knows that the FIFOs are taken: they could not tell the two apart. */
export const LOCK = 'daemon.sock';

export const JVM_FOLDER: FolderKind = {
  prefix: 'substrate-jvm-',
  program: 'Java program',
  channel: new Set([SOCKET, FIFO_IN, FIFO_OUT, LOCK]),

  /** The socket for attaches, which a JVM that is killed leaves behind. A later one of the same number listens on it. */
  async removeRemains(tmp: HeldFolder, pid: number, uid: number): Promise<void> {
    const name = `.java_pid${pid}`;
    try {
      const found = tmp.lookAt(name);
      if (!found?.isSocket() || found.uid !== uid || (await hasListener(tmp.at(name), found))) return;
      if (tmp.lookAt(name)?.ino === found.ino) tmp.remove(name);
    } catch {
      // The file system of a container that is gone.
    }
  },
};
