/** What every command that asks the daemon is given. */
import type { Substrate } from '../../client/node.ts';
import type { Terminal } from '../terminal.ts';

export interface CommandContext {
  readonly terminal: Terminal;
  /** From `--json`: one JSON value instead of lines for people. */
  readonly json: boolean;
  readonly substrate: Substrate;
  readonly connection: { readonly baseUrl: string; readonly key?: string };
}
