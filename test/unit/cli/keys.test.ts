import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keygen } from '../../../src/cli/keygen.ts';
import { deleteKey, listKeys, setKeyEnabled } from '../../../src/cli/keys.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { createTerminal, type Stream, type Terminal } from '../../../src/cli/terminal.ts';
import { emptySchema } from '../../../src/model/app-schema.ts';
import { AuditLog } from '../../../src/store/audit-log.ts';
import { SchemaRegistry } from '../../../src/store/schema-registry.ts';
import { NO_LOG } from '../../support/fake-machine.ts';
import { tempFolder } from '../store/temp-folder.ts';

const UNRESTRICTED = { expires_at: null, scopes: null, apps: null, max_reversibility: null, confirm: false };

const silent: Stream = { write: () => true, isTTY: false };

/** `lines` receives the output of the command. */
function fakeTerminal(lines: string[]): Terminal {
  return { ...createTerminal(silent, silent, {}), out: (line) => void lines.push(line) };
}

function terminal(options: { configFile?: string; json?: boolean } = {}, homeDir = tempFolder()) {
  const lines: string[] = [];
  const remarks: string[] = [];
  const stdout = (line: string) => void lines.push(line);
  const stderr = (line: string) => void remarks.push(line);
  return { homeDir, lines, remarks, options: { env: {}, homeDir, stdout, stderr, ...options } };
}

test('keygen prints the key once, its id and the keys file', async () => {
  const { options, lines, homeDir } = terminal();
  await keygen({ ...options, flags: { label: 'agent' } });
  const file = path.join(homeDir, '.local', 'share', 'substrate', 'keys.json');
  expect(lines).toEqual([
    expect.stringMatching(/^key: +sk_substrate_[0-9A-Za-z]{40}$/),
    expect.stringMatching(/^id: +key_[0-9a-f]{16}$/),
    'may:       everything',
    `keys file: ${file}`,
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8')).keys).toEqual([
    expect.objectContaining({ label: 'agent', enabled: true, last_used_at: null }),
  ]);
});

test('every command uses the keys file that the config names', async () => {
  const folder = tempFolder();
  const configFile = path.join(folder, 'config.toml');
  writeFileSync(configFile, '[auth]\nkeys_file = "private/k.json"\n');
  const { options, lines } = terminal({ configFile, json: true });
  await keygen(options);
  const { key, id, keys_file } = JSON.parse(lines[0] ?? '');
  expect(key).toMatch(/^sk_substrate_/);
  expect(keys_file).toBe(path.join(folder, 'private', 'k.json'));
  await setKeyEnabled({ ...options, id: id.slice(0, 8), enabled: false });
  await listKeys(options);
  await deleteKey({ ...options, id });
  await listKeys(options);
  const created_at = expect.any(String);
  expect(lines.slice(1).map((line) => JSON.parse(line))).toEqual([
    { id, enabled: false },
    { keys_file, keys: [{ id, label: null, created_at, last_used_at: null, enabled: false, ...UNRESTRICTED }] },
    { id, deleted: true },
    { keys_file, keys: [] },
  ]);
});

test('the table shows every key without its hash, and nothing that could steer the terminal', async () => {
  const { options, lines, remarks, homeDir } = terminal();
  await listKeys(options);
  expect(lines).toEqual([]);
  expect(remarks.pop()).toMatch(/^no keys in .*keys\.json/);
  await keygen({ ...options, flags: { label: 'red \u001b[31m' } });
  await keygen(options);
  const file = path.join(homeDir, '.local', 'share', 'substrate', 'keys.json');
  const document = JSON.parse(readFileSync(file, 'utf8'));
  document.keys.push({ id: 'bad' });
  writeFileSync(file, JSON.stringify(document));
  lines.length = 0;
  await listKeys(options);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^ID +STATE +MAY +EXPIRES +CREATED +LAST USED +LABEL$/);
  expect(lines[1]).toMatch(/^key_[0-9a-f]{16} {2}enabled {2}everything {2}never {4}\S+Z {2}never {6}red \?\[31m$/);
  expect(lines.join()).not.toMatch(/blake3|[0-9a-f]{64}/);
  expect(remarks).toHaveLength(1);
  expect(remarks[0]).toContain('"id":"bad"');
});

test('people are told what was done', async () => {
  const { options, lines } = terminal();
  await keygen(options);
  const id = /key_\w+/.exec(lines[1] ?? '')?.[0] ?? '';
  lines.length = 0;
  await setKeyEnabled({ ...options, id, enabled: false });
  await setKeyEnabled({ ...options, id, enabled: true });
  await deleteKey({ ...options, id });
  expect(lines).toEqual([`${id} disabled`, `${id} enabled`, `${id} deleted`]);
  await expect(deleteKey({ ...options, id })).rejects.toThrow(/no key has the id/);
});

test('of a file that an edit broke it is said that nothing is revoked by it', async () => {
  const { options, remarks, homeDir } = terminal();
  await keygen(options);
  writeFileSync(path.join(homeDir, '.local', 'share', 'substrate', 'keys.json'), '{"keys": [}');
  await expect(listKeys(options)).rejects.toThrow('keys.json');
  expect(remarks).toEqual([expect.stringContaining('keeps the keys that it read last, revoked ones included')]);
});

test('a key that has expired is listed as such', async () => {
  const { options, lines, homeDir } = terminal();
  await keygen(options);
  const file = path.join(homeDir, '.local', 'share', 'substrate', 'keys.json');
  const { keys } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ keys: [{ ...keys[0], expires_at: '2025-01-01T00:00:00Z' }] }));
  await listKeys(options);
  expect(lines.at(-1)).toContain(' expired ');
  await listKeys({ ...options, json: true });
  expect(JSON.parse(lines.at(-1) ?? '').keys).toMatchObject([{ enabled: true, expires_at: '2025-01-01T00:00:00Z' }]);
});

test('keygen makes keys with less power, and the list tells in words what they may do', async () => {
  const { options, lines, homeDir } = terminal();
  const program = createProgram({ env: {}, homeDir, terminal: fakeTerminal(lines) });
  const flags = ['--scope', 'read,act', '--scope', 'teach', '--app', 'coffee*', '--app', 'tea*'];
  await program.parseAsync(
    ['keygen', ...flags, '--max', 'reversible_write', '--expires', '30d', '--confirm', '--json'],
    {
      from: 'user',
    },
  );
  const made = JSON.parse(lines.at(-1) ?? '');
  expect(made).toMatchObject({
    scopes: ['read', 'act', 'teach'],
    apps: ['coffee*', 'tea*'],
    max_reversibility: 'reversible_write',
    confirm: true,
  });
  const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  await listKeys(options);
  expect(lines.at(-1)).toContain(
    'read, act, teach; actions up to reversible_write; apps coffee*, tea*; a person confirms each action',
  );
  await listKeys({ ...options, json: true });
  expect(JSON.parse(lines.at(-1) ?? '').keys[0]).toMatchObject({ scopes: ['read', 'act', 'teach'], confirm: true });
});

test.each([
  [['--scope', 'everything'], 'expected one of read, act, teach, admin'],
  [['--max', 'all'], 'expected one of reversible_read, reversible_write, irreversible_write'],
  [['--expires', 'soon'], 'expected a time such as 30d, 12h or 2027-01-31'],
  [['--expires', '2020-01-01'], 'this time has passed'],
])('keygen %j is refused: %s', async (flags, why) => {
  const { homeDir } = terminal();
  const remarks: string[] = [];
  const program = createProgram({ env: {}, homeDir, terminal: fakeTerminal([]) });
  program.commands
    .find((command) => command.name() === 'keygen')
    ?.exitOverride()
    .configureOutput({
      writeErr: (text) => void remarks.push(text),
    });
  await expect(program.parseAsync(['keygen', ...flags], { from: 'user' })).rejects.toThrow();
  expect(remarks.join('')).toContain(why);
});

test('the log of actions is shown, by app, key and time', async () => {
  const { homeDir } = terminal();
  const lines: string[] = [];
  const program = () => createProgram({ env: {}, homeDir, terminal: fakeTerminal(lines) });
  const shown = async (...flags: string[]) => {
    lines.length = 0;
    await program().parseAsync(['audit', ...flags], { from: 'user' });
    return lines.join('\n');
  };
  expect(await shown()).toBe('');
  const log = new AuditLog({ dir: path.join(homeDir, '.local/share/substrate'), logger: NO_LOG });
  const common = {
    event: 'action' as const,
    pid: 7,
    parameters: ['name', 'price'],
    confirmed_by: null,
    binding: null,
    reversibility: null,
    count: 1,
  };
  const past = new Date(Date.now() - 3 * 3_600_000).toISOString();
  const now = new Date().toISOString();
  const [coffee, tea] = ['coffee-shop-0a1b2c3d4e5f6071', 'tea-00112233'];
  log.note({ ...common, time: past, key_id: 'key_1', app_id: coffee, action: 'pour', outcome: 'ran', code: null });
  log.note({
    ...common,
    time: now,
    key_id: 'key_2',
    app_id: tea,
    action: 'brew',
    outcome: 'refused',
    code: 'forbidden_scope',
  });
  const all = await shown();
  expect(all).toMatch(/pour\(name, price\) +ran/);
  expect(all).toMatch(/key_2 .*brew\(name, price\) +refused: forbidden_scope/);
  expect(await shown('--app', 'coffee*')).not.toContain('brew');
  expect(await shown('--app', 'tea')).toContain('brew');
  expect(await shown('--app', 'tea')).not.toContain('pour');
  const schemas = new SchemaRegistry({ dir: path.join(homeDir, '.local/share/substrate/schemas'), logger: NO_LOG });
  schemas.save({ ...emptySchema('kettle-00000000000000aa', 'Kettle'), aliases: [coffee] });
  await schemas.flush();
  for (const id of ['kettle', 'kettle-00000000000000aa', coffee]) expect(await shown('--app', id)).toContain('pour');
  expect(await shown('--app', 'kettle')).not.toContain('brew');
  expect(await shown('--key', 'key_1')).not.toContain('brew');
  expect(await shown('--since', '2h')).not.toContain('pour');
  expect(await shown('--since', '4h')).toContain('pour');
});
