/** What every command that asks the daemon is given. */
import type { Substrate } from '../../client/node.ts';
import type { Terminal } from '../terminal.ts';

export interface CommandContext {
  readonly terminal: Terminal;
  /** From `--json`: one JSON value instead of lines for people. */
  readonly json: boolean;
  /** From `--wait`: the app may have been started only just now. */
  readonly wait: boolean;
  readonly substrate: Substrate;
  /** Where schemas are stored; null where another daemon was named, whose disk may be another one. */
  readonly schemasDir: string | null;
  readonly connection: { readonly baseUrl: string; readonly key?: string };
}
