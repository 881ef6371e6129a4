/** Runs a tool in another daemon: that of this machine, or another one of the fleet. */
import * as z from 'zod';
import { ConnectionError } from '../client/index.ts';
import type { Transport } from '../client/transport.ts';
import type { ToolAnswer } from './server.ts';

const toolResult = z.object({
  result: z.object({ content: z.tuple([z.object({ text: z.string() })]), isError: z.boolean().default(false) }),
});

export async function callDaemon(
  transport: Transport,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  const answer = toolResult.safeParse((await transport.request('/mcp', { body, signal })).body);
  if (!answer.success) throw new ConnectionError('The daemon does not know this tool: it may be of another version.');
  const { content, isError } = answer.data.result;
  return { text: content[0].text, isError };
}
