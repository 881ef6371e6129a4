/** The MCP servers that read a running browser: one call of the tool that reports the content of the page. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileOfPeer } from './load.ts';
import { McpClient } from './mcp-client.ts';
import { BROWSER_SNAPSHOT, type OpenPeer, type Peer, TAKE_SNAPSHOT } from './peer.ts';

export const openPlaywrightMcp: OpenPeer = async ({ debugPort }, url) => {
  const output = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-bench-'));
  const client = await McpClient.start(fileOfPeer('@playwright/mcp', 'cli.js'), [
    '--cdp-endpoint',
    `http://127.0.0.1:${debugPort}`,
    '--output-dir',
    output,
  ]);
  const peer = await peerOf(client, BROWSER_SNAPSHOT, 'browser_snapshot', url);
  return {
    ...peer,
    close: async () => {
      await peer.close();
      fs.rmSync(output, { recursive: true, force: true });
    },
  };
};

export const openDevToolsMcp: OpenPeer = async ({ debugPort }, url) => {
  const client = await McpClient.start(
    fileOfPeer('chrome-devtools-mcp', 'build/src/bin/chrome-devtools-mcp.js'),
    // There is only one page; a benchmark sends no statistics.
    ['--browserUrl', `http://127.0.0.1:${debugPort}`, '--no-page-id-routing', '--no-usage-statistics'],
    { CHROME_DEVTOOLS_MCP_NO_USAGE_STATISTICS: '1', CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1' },
  );
  return peerOf(client, TAKE_SNAPSHOT, 'take_snapshot', url);
};

async function peerOf(client: McpClient, name: string, tool: string, url: string): Promise<Peer> {
  try {
    // The first call also connects; on a large page that can exceed the server's own time limit.
    const text = await client.tool(tool).catch(() => client.tool(tool));
    if (!text.includes(url)) throw new Error(`${name} shows another page: ${text.slice(0, 300)}`);
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    reads: [{ name, run: async () => (await client.tool(tool)).length }],
    close: () => client.close(),
  };
}
