/**
 * `substrate mcp`: the tools for a model, over stdin and stdout. A bundle of its own: see scripts/build.mjs. What they
 * answer is decided in the daemon, which knows what matters: it is asked by its `/mcp`.
 */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { HttpWire } from '../client/http-wire.ts';
import { ConnectionError } from '../client/index.ts';
import { fetchFromOwn } from '../client/own-peer.ts';
import { Transport } from '../client/transport.ts';
import { VERSION } from '../version.ts';
import { answerOf } from './call-tool.ts';
import { type CallTool, createMcpServer } from './server.ts';

const toolResult = z.object({
  result: z.object({ content: z.tuple([z.object({ text: z.string() })]), isError: z.boolean().default(false) }),
});

interface DaemonAddress {
  readonly baseUrl: string;
  readonly key?: string;
}

/** Resolves when whoever started it has closed its input. */
export async function serveMcp({ baseUrl, key }: DaemonAddress): Promise<void> {
  const call = callOf(new Transport(new HttpWire({ baseUrl, key: key ?? null, fetch: fetchFromOwn })));
  const handle = serveStdio(() => createMcpServer(call, VERSION));
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  await handle.close();
}

const callOf =
  (transport: Transport): CallTool =>
  ({ name }, input, signal) =>
    answerOf(async () => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
      const answer = toolResult.safeParse((await transport.request('/mcp', { body, signal })).body);
      if (!answer.success)
        throw new ConnectionError('The daemon does not know this tool: it may be of another version.');
      const { content, isError } = answer.data.result;
      return { text: content[0].text, isError };
    });
