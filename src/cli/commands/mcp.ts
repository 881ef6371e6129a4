/** `substrate mcp`: the MCP tools, with a daemon of their own if none runs. */
import { loadConfig } from '../../config.ts';
import { ensureDaemon } from '../background/ensure-daemon.ts';
import type { Surroundings } from '../surroundings.ts';
import type { CommandContext } from './command.ts';

/** A client that misses two pings still counts as alive. */
const PINGS = 3;

interface McpFlags {
  readonly configFile: string | undefined;
  /** The daemon was given by its address, so this command does not start it. */
  readonly isElsewhere: boolean;
}

export async function runMcp(
  { connection, substrate, terminal }: CommandContext,
  { configFile, isElsewhere }: McpFlags,
  { env, homeDir }: Surroundings,
): Promise<void> {
  const loaded = loadConfig({ configFile, env, homeDir });
  const { start_daemon, idle_exit_secs: idleExitSecs } = loaded.config.mcp;
  const request = { configFile, env, homeDir, loaded, substrate, url: connection.baseUrl, idleExitSecs };
  const startDaemon = async () => {
    const isStarted = await ensureDaemon(request, () => terminal.note('substrate: No daemon answers: starting one.'));
    if (isStarted)
      terminal.note(`substrate: The daemon runs at ${request.url}; it ends ${idleExitSecs} s after its last client.`);
    return isStarted;
  };
  // Loaded here only, because nothing else needs the protocol's library.
  const { serveMcp } = await import('../../mcp/index.ts');
  await serveMcp({
    ...connection,
    startDaemon: start_daemon && !isElsewhere ? startDaemon : null,
    keepAliveMs: (idleExitSecs * 1000) / PINGS,
  });
}
