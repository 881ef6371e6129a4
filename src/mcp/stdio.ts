/** `substrate mcp`: the tools for a model, over stdin and stdout. A bundle of its own: see scripts/build.mjs. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Substrate, type SubstrateOptions } from '../client/node.ts';
import { VERSION } from '../version.ts';
import { remoteApps } from './apps.ts';
import { createMcpServer } from './server.ts';

/** Resolves when whoever started it has closed its input. */
export async function serveMcp(options: SubstrateOptions): Promise<void> {
  const apps = remoteApps(new Substrate(options));
  const handle = serveStdio(() => createMcpServer(apps, VERSION));
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  await handle.close();
}
