/** MCP clients, with the documented place of their settings for servers. */
import path from 'node:path';

export interface ClientHost {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
}

export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface McpClient {
  readonly name: string;
  readonly title: string;
  /** Its settings file. */
  readonly file: (host: ClientHost) => string;
  /** The object in it that holds servers. */
  readonly section: string;
  readonly entryOf: (command: McpCommand) => Readonly<Record<string, unknown>>;
  /** Exists if the program is installed, or has run. */
  readonly folder: (host: ClientHost) => string;
  /** Its own command that adds a server, if others must not write its file. */
  readonly adder?: { readonly program: string; readonly args: (name: string, command: McpCommand) => string[] };
  /** The next step for a person. */
  readonly afterwards: string;
}

const plain = ({ command, args }: McpCommand) => ({ command, args: [...args] });

/** The settings folder of a program on its system. */
function settingsFolder({ platform, env, homeDir }: ClientHost, name: string): string {
  if (platform === 'darwin') return path.join(homeDir, 'Library', 'Application Support', name);
  if (platform === 'win32') return path.join(env.APPDATA || path.join(homeDir, 'AppData', 'Roaming'), name);
  return path.join(env.XDG_CONFIG_HOME || path.join(homeDir, '.config'), name);
}

/** Zed uses ~/.config on macOS, too. */
function zedFolder({ platform, env, homeDir }: ClientHost): string {
  if (platform === 'win32') return settingsFolder({ platform, env, homeDir }, 'Zed');
  return settingsFolder({ platform: 'linux', env: platform === 'darwin' ? {} : env, homeDir }, 'zed');
}

export const CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    folder: (host) => settingsFolder(host, 'Claude'),
    file: (host) => path.join(settingsFolder(host, 'Claude'), 'claude_desktop_config.json'),
    section: 'mcpServers',
    entryOf: plain,
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    folder: ({ homeDir }) => path.join(homeDir, '.claude'),
    file: ({ homeDir }) => path.join(homeDir, '.claude.json'),
    section: 'mcpServers',
    entryOf: (command) => ({ type: 'stdio', ...plain(command), env: {} }),
    // It rewrites this file all the time while it runs.
    adder: {
      program: 'claude',
      args: (name, { command, args }) => ['mcp', 'add', '--scope', 'user', name, '--', command, ...args],
    },
    afterwards: 'New sessions have it; /mcp in Claude Code shows it.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    folder: ({ homeDir }) => path.join(homeDir, '.cursor'),
    file: ({ homeDir }) => path.join(homeDir, '.cursor', 'mcp.json'),
    section: 'mcpServers',
    entryOf: plain,
    afterwards: 'Cursor shows it in its settings under MCP, where it may have to be switched on.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    folder: (host) => settingsFolder(host, 'Code'),
    file: (host) => path.join(settingsFolder(host, 'Code'), 'User', 'mcp.json'),
    section: 'servers',
    entryOf: (command) => ({ type: 'stdio', ...plain(command) }),
    afterwards: 'VS Code asks whether to trust it at the first use (command palette: MCP: List Servers).',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    folder: ({ homeDir }) => path.join(homeDir, '.codeium', 'windsurf'),
    file: ({ homeDir }) => path.join(homeDir, '.codeium', 'windsurf', 'mcp_config.json'),
    section: 'mcpServers',
    entryOf: plain,
    afterwards: 'Press refresh in the MCP panel of Cascade.',
  },
  {
    name: 'zed',
    title: 'Zed',
    folder: zedFolder,
    file: (host) => path.join(zedFolder(host), 'settings.json'),
    section: 'context_servers',
    entryOf: (command) => ({ ...plain(command), env: {} }),
    afterwards: 'Zed takes it at once; its agent panel shows it.',
  },
];

/** A package may move, and npx finds it; a clone stays in its place. */
export function mcpCommand(options: {
  readonly node: string;
  /** The program's own file. */
  readonly script: string;
  /** Absolute; null for the default one. */
  readonly configFile: string | null;
}): McpCommand {
  const config = options.configFile === null ? [] : ['--config', options.configFile];
  if (/[\\/]node_modules[\\/]substrated[\\/]/.test(options.script))
    return { command: 'npx', args: ['-y', 'substrated', 'mcp', ...config] };
  return { command: options.node, args: [options.script, 'mcp', ...config] };
}
