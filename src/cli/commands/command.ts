/** The context of every command that uses the daemon. */
import type { Substrate } from '../../client/node.ts';
import type { Terminal } from '../terminal.ts';

export interface CommandContext {
  readonly terminal: Terminal;
  /** From `--json`: one JSON value instead of lines for people. */
  readonly json: boolean;
  /** From `--wait`: the app may have been started a moment ago. */
  readonly wait: boolean;
  readonly substrate: Substrate;
  /** The folder of schemas; null if another daemon was given, whose disk may be another one. */
  readonly schemasDir: string | null;
  readonly connection: { readonly baseUrl: string; readonly key?: string };
}
