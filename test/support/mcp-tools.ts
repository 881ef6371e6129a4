/** The expectations for the MCP tools, over either transport. */
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content;
  return { text: first?.type === 'text' ? first.text : '', isError: result.isError === true };
}

export async function expectFewSmallTools(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'list_apps',
    'open_browser',
    'read_state',
    'read_changes',
    'list_actions',
    'run_action',
    'wait_for',
    'correct_label',
  ]);
  // Four characters are about a token: at most 2,500 of them.
  expect(JSON.stringify(tools).length).toBeLessThan(2500 * 4);
  for (const { name, description, annotations } of tools) {
    expect(annotations).toMatchObject({
      title: expect.any(String),
      readOnlyHint: !['open_browser', 'run_action', 'correct_label'].includes(name),
      openWorldHint: name === 'run_action' || name === 'open_browser',
    });
    // The opened page has no logins and no work of anybody.
    if (!annotations?.readOnlyHint) expect(annotations?.destructiveHint).toBe(name !== 'open_browser');
    expect(annotations?.idempotentHint).toBe(name !== 'run_action' && name !== 'open_browser');
    expect(description).not.toBe('');
  }
}
