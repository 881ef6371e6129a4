/** `substrate mcp install`: shows the settings that a client needs, and writes them if a person agrees. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isAbsent } from '../../store/store-error.ts';
import { RefusedError } from '../failures.ts';
import { findCommand } from '../run/find-command.ts';
import { table } from '../table.ts';
import { printable, type Terminal } from '../terminal.ts';
import { CLIENTS, type ClientHost, type McpClient, type McpCommand } from './clients.ts';
import { addEntry, type Edit } from './json-edit.ts';

const SERVER = 'substrate';
const BACKUP = '.before-substrate';

export interface InstallOptions {
  readonly host: ClientHost;
  readonly command: McpCommand;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** Only show it. */
  readonly print: boolean;
  readonly yes: boolean;
  readonly force: boolean;
  /** Null if there is nobody to ask. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
}

export function listClients({ host, command, terminal, json }: InstallOptions): void {
  const rows = CLIENTS.map((client) => {
    const { edit } = planOf(client, { host, command, force: false });
    return {
      client: client.name,
      title: client.title,
      found: isFound(client, host),
      installed: edit.kind === 'same' || edit.kind === 'different',
      file: client.file(host),
    };
  });
  if (json) {
    terminal.json({ clients: rows });
    return;
  }
  const lines = rows.map(({ client, found, installed, file }) => [
    client,
    found ? 'found' : 'not found',
    installed ? 'set up' : '',
    file,
  ]);
  const head = ['client', 'on this machine', 'substrate', 'settings'];
  for (const line of table(head, lines, terminal.paint, terminal.width)) terminal.out(line);
  terminal.note('Set one up: substrate mcp install <client>');
}

export async function installMcp(client: McpClient, options: InstallOptions): Promise<void> {
  const { terminal, json, print, host, command } = options;
  const { file, edit, entry } = planOf(client, options);
  const facts = { client: client.name, file, section: client.section, entry };
  const adder = adderOf(client, host, command);
  if (!json) {
    terminal.note(`${client.title}: ${client.section} in ${printable(file)}`);
    terminal.out(JSON.stringify({ [client.section]: { [SERVER]: entry } }, null, 2));
    if (adder !== null) terminal.note(`Its own command for it: ${adder.line}`);
  }
  const done = (written: boolean) => {
    if (json) terminal.json({ ...facts, written });
  };
  if (print) return done(false);
  if (edit.kind === 'same') {
    if (!json) terminal.note('It is set up already: nothing was written.');
    return done(false);
  }
  if (edit.kind === 'different')
    throw new RefusedError(
      `${file} has another server of this name: ${JSON.stringify(edit.current)}. Nothing was written. Remove it there, or put this one in its place with --force.`,
    );
  // The output of its own command need not be understood.
  if (edit.kind === 'unsafe' && adder === null)
    throw new RefusedError(
      `${file} is not changed, because ${edit.why}: add the lines above to it yourself, below "${client.section}".`,
    );
  if (adder !== null && adder.program === null)
    throw new RefusedError(
      `Only ${client.title} itself changes ${file}, and it is not on the path. Run: ${adder.line}`,
    );
  await confirm(adder === null ? `Write this to ${file}?` : `Run this command?`, options);
  if (adder !== null && adder.program !== null) add(adder.program, adder.args, options);
  else if (edit.kind === 'changed') write(file, edit.text, options);
  if (!json) terminal.note(client.afterwards);
  done(true);
}

interface InstallPlan {
  readonly file: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly edit: Edit;
}

function planOf(
  client: McpClient,
  { host, command, force }: Pick<InstallOptions, 'host' | 'command' | 'force'>,
): InstallPlan {
  const file = client.file(host);
  const entry = client.entryOf(command);
  const read = readText(file);
  const edit: Edit =
    'why' in read
      ? { kind: 'unsafe', why: read.why }
      : addEntry(read.text, { section: client.section, name: SERVER, entry, replace: force });
  return { file, entry, edit };
}

function readText(file: string): { readonly text: string | null } | { readonly why: string } {
  try {
    if (!fs.statSync(file).isFile()) return { why: 'it is no regular file' };
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(file)) };
  } catch (error) {
    return isAbsent(error) ? { text: null } : { why: 'it cannot be read' };
  }
}

function isFound(client: McpClient, host: ClientHost): boolean {
  const program = client.adder?.program;
  return fs.existsSync(client.folder(host)) || (program !== undefined && programOf(program, host) !== null);
}

function programOf(program: string, { env, homeDir }: ClientHost): string | null {
  const found = findCommand(program, env.PATH ?? '', homeDir);
  return 'file' in found ? found.file : null;
}

interface Adder {
  /** Null if it is not on the path. */
  readonly program: string | null;
  readonly args: readonly string[];
  readonly line: string;
}

function adderOf({ adder }: McpClient, host: ClientHost, command: McpCommand): Adder | null {
  if (adder === undefined) return null;
  const args = adder.args(SERVER, command);
  const line = [adder.program, ...args].map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `'${word}'`)).join(' ');
  return { program: programOf(adder.program, host), args, line };
}

async function confirm(question: string, { yes, ask }: InstallOptions): Promise<void> {
  if (yes) return;
  if (ask === null) throw new RefusedError('Nothing was written. To write it without a question: --yes');
  if (!(await ask(question))) throw new RefusedError('Nothing was written.');
}

function add(program: string, args: readonly string[], { host, terminal }: InstallOptions): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env: host.env });
  for (const line of `${stdout ?? ''}${stderr ?? ''}`.split('\n'))
    if (line.trim() !== '') terminal.note(printable(line));
  if (status !== 0) throw new Error(`${program} failed (${error?.message ?? `code ${status}`}).`);
}

/** The file is complete at every moment, and its old content is kept beside it. A symbolic link stays one. */
function write(file: string, text: string, { json, terminal }: InstallOptions): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const exists = fs.existsSync(file);
  const real = exists ? fs.realpathSync(file) : file;
  const mode = exists ? fs.statSync(real).mode & 0o777 : 0o600;
  if (exists) fs.copyFileSync(real, `${real}${BACKUP}`);
  const temporary = `${real}.substrate-new`;
  fs.rmSync(temporary, { force: true });
  fs.writeFileSync(temporary, text, { mode, flag: 'wx' });
  fs.chmodSync(temporary, mode);
  fs.renameSync(temporary, real);
  if (json) return;
  terminal.note(`${printable(file)} written${exists ? `; as it was before: ${printable(real)}${BACKUP}` : ''}.`);
}
