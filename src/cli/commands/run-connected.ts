import { Substrate, SubstrateError } from '../../client/node.ts';
import { loadConfig } from '../../config.ts';
import { type ConnectionOptions, connectionOf } from '../connection.ts';
import { printable } from '../terminal.ts';
import type { CommandContext } from './command.ts';

/** Runs a command with a client of the selected daemon. */
export async function runConnected(
  given: Pick<CommandContext, 'terminal' | 'json' | 'wait'>,
  options: ConnectionOptions,
  run: (context: CommandContext) => Promise<unknown>,
): Promise<unknown> {
  const { configFile, url, env, homeDir } = options;
  const connection = await connectionOf(options);
  const substrate = new Substrate(connection);
  const schemasDir = url === undefined ? loadConfig({ configFile, env, homeDir }).paths.schemasDir : null;
  try {
    return await run({ ...given, substrate, schemasDir, connection });
  } catch (error) {
    const { keyProblem } = connection;
    if (keyProblem !== undefined && error instanceof SubstrateError && error.code === 'missing_key')
      given.terminal.note(`No key of its own: ${printable(keyProblem)}`);
    throw error;
  }
}
