/** One daemon at a time: whoever listens on a socket in the agent's folder has the agent. */
import fs from 'node:fs';
import net from 'node:net';
import { hasListener } from './held-folder.ts';

/** Another daemon is connected. */
export class AgentBusy extends Error {}

/** A socket ends with the process that listens on it, whatever ends that; its file may stay, and is then nobody's. */
export async function takeLock(path: string): Promise<net.Server> {
  try {
    // The first of two that come at once has it: the second finds the name taken.
    return await listen(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
  }
  if (await hasListener(path)) throw new AgentBusy();
  fs.rmSync(path, { force: true });
  return listen(path);
}

function listen(path: string): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}
