/** `substrate mcp install`: in a home of its own for each client, and without losing existing settings. */
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENTS, type ClientHost, mcpCommand } from '../../../src/cli/mcp-install/clients.ts';
import { type InstallOptions, installMcp, listClients } from '../../../src/cli/mcp-install/install.ts';
import { addEntry } from '../../../src/cli/mcp-install/json-edit.ts';
import { createTerminal } from '../../../src/cli/terminal.ts';
import { tempFolder } from '../store/temp-folder.ts';

const command = mcpCommand({
  node: '/usr/bin/node',
  script: '/home/a/.npm/_npx/1a2b/node_modules/substrated/dist/substrate.js',
  configFile: null,
});

function clientNamed(name: string) {
  const found = CLIENTS.find((client) => client.name === name);
  if (found === undefined) throw new Error(`no client ${name}`);
  return found;
}

function at(homeDir: string, given: Partial<InstallOptions> = {}, platform: NodeJS.Platform = 'linux') {
  let out = '';
  let notes = '';
  const terminal = createTerminal({ write: (text) => { out += text; } }, { write: (text) => { notes += text; } }, {}); // biome-ignore format: short
  const host: ClientHost = { platform, env: { PATH: path.join(homeDir, 'bin') }, homeDir };
  const asked: string[] = [];
  const ask = async (question: string) => asked.push(question) > 0;
  const usual = { host, command, terminal, json: false, print: false, yes: true, force: false, ask: null };
  return { options: { ...usual, ...given }, ask, asked, host, out: () => out, notes: () => notes };
}

it('runs a package by npx, and a clone where it is', () => {
  expect(command).toEqual({ command: 'npx', args: ['-y', 'substrated', 'mcp'] });
  const clone = { node: '/usr/bin/node', script: '/src/substrate/dist/substrate.js', configFile: '/etc/s.toml' };
  expect(mcpCommand(clone)).toEqual({
    command: '/usr/bin/node',
    args: ['/src/substrate/dist/substrate.js', 'mcp', '--config', '/etc/s.toml'],
  });
});

describe.each([
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', 'mcpServers', {}],
  ['cursor', '.cursor/mcp.json', 'mcpServers', {}],
  ['vscode', '.config/Code/User/mcp.json', 'servers', { type: 'stdio' }],
  ['windsurf', '.codeium/windsurf/mcp_config.json', 'mcpServers', {}],
  ['zed', '.config/zed/settings.json', 'context_servers', { env: {} }],
])('%s', (name, place, section, more) => {
  const client = clientNamed(name);
  const entry = { command: 'npx', args: ['-y', 'substrated', 'mcp'], ...more };

  it('has its settings written where there are none', async () => {
    const home = tempFolder();
    const { options } = at(home);
    await installMcp(client, options);
    expect(JSON.parse(fs.readFileSync(path.join(home, place), 'utf8'))).toEqual({ [section]: { substrate: entry } });
    expect(fs.readdirSync(path.dirname(path.join(home, place)))).toEqual([path.basename(place)]);
  });

  it('keeps what is there, comments too, with a copy of before; a second time changes nothing', async () => {
    const home = tempFolder();
    const file = path.join(home, place);
    const before = `// mine\n{\n  "theme": "dark", // at night\n  "${section}": {\n    "other": { "command": "x" } // keep\n  },\n}\n`;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, before, { mode: 0o640 });
    const first = at(home);
    await installMcp(client, first.options);
    const after = fs.readFileSync(file, 'utf8');
    for (const line of before.split('\n')) expect(after).toContain(line.replace(' } // keep', ' }, // keep'));
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
    expect(fs.readFileSync(`${file}.before-substrate`, 'utf8')).toBe(before);
    const second = at(home);
    await installMcp(client, second.options);
    expect(second.notes()).toContain('already');
    expect(fs.readFileSync(file, 'utf8')).toBe(after);
  });

  it('is not given another server in the place of one of the same name, unless that is asked for', async () => {
    const home = tempFolder();
    const file = path.join(home, place);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const before = JSON.stringify({ [section]: { substrate: { command: 'mine' }, other: {} } });
    fs.writeFileSync(file, before);
    await expect(installMcp(client, at(home).options)).rejects.toThrow(/another server.*"mine".*--force/s);
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
    await installMcp(client, at(home, { force: true }).options);
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual({ [section]: { substrate: entry, other: {} } });
  });

  it('is only shown with --print, and asked about without --yes', async () => {
    const home = tempFolder();
    const shown = at(home, { print: true, yes: false });
    await installMcp(client, shown.options);
    expect(JSON.parse(shown.out())).toEqual({ [section]: { substrate: entry } });
    expect(shown.notes()).toContain(path.join(home, place));
    await expect(installMcp(client, at(home, { yes: false }).options)).rejects.toThrow('--yes');
    await expect(installMcp(client, at(home, { yes: false, ask: async () => false }).options)).rejects.toThrow(
      'Nothing',
    );
    expect(fs.existsSync(path.join(home, place))).toBe(false);
    const agreed = at(home);
    await installMcp(client, { ...agreed.options, yes: false, ask: agreed.ask });
    expect(agreed.asked).toEqual([`Write this to ${path.join(home, place)}?`]);
    expect(fs.existsSync(path.join(home, place))).toBe(true);
  });

  it.each([
    ['no JSON', '{ "a": '],
    ['something else', '[1]'],
    ['code', `{ "${'x'}": process.exit() }`],
    ['a section that is no object', `{ "${section}": [] }`],
    ['a section that is there twice', `{ "${section}": {}, "${section}": {} }`],
    ['no text', Buffer.from([0xff, 0xfe, 0x00])],
  ])('leaves a file alone that holds %s, and says what to do', async (_, text) => {
    const home = tempFolder();
    const file = path.join(home, place);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    const { options, out } = at(home);
    await expect(installMcp(client, options)).rejects.toThrow(/is not changed, because .*yourself/);
    expect(JSON.parse(out())).toEqual({ [section]: { substrate: entry } });
    expect(fs.readFileSync(file)).toEqual(Buffer.from(text));
  });
});

it('writes through a link, which stays one', async () => {
  const home = tempFolder();
  const real = path.join(home, 'dotfiles.json');
  fs.writeFileSync(real, '{}');
  fs.mkdirSync(path.join(home, '.cursor'));
  fs.symlinkSync(real, path.join(home, '.cursor/mcp.json'));
  await installMcp(clientNamed('cursor'), at(home).options);
  expect(fs.lstatSync(path.join(home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true);
  expect(JSON.parse(fs.readFileSync(real, 'utf8'))).toHaveProperty('mcpServers.substrate.command', 'npx');
});

it.each<[NodeJS.Platform, string, string]>([
  ['darwin', 'claude-desktop', 'Library/Application Support/Claude/claude_desktop_config.json'],
  ['darwin', 'vscode', 'Library/Application Support/Code/User/mcp.json'],
  ['darwin', 'zed', '.config/zed/settings.json'],
  ['win32', 'claude-desktop', 'AppData/Roaming/Claude/claude_desktop_config.json'],
  ['win32', 'vscode', 'AppData/Roaming/Code/User/mcp.json'],
  ['win32', 'zed', 'AppData/Roaming/Zed/settings.json'],
])('knows the place on %s of %s', (platform, name, place) => {
  expect(clientNamed(name).file(at('/home/a', {}, platform).host)).toBe(path.join('/home/a', place));
});

describe('claude-code', () => {
  const client = clientNamed('claude-code');
  const words = 'mcp add --scope user substrate -- npx -y substrated mcp';

  it('is set up by its own command, since it writes its file itself', async () => {
    const home = tempFolder();
    fs.mkdirSync(path.join(home, 'bin'));
    const said = path.join(home, 'said');
    fs.writeFileSync(path.join(home, 'bin/claude'), `#!/bin/sh\necho "$@" > '${said}'\necho Added\n`, { mode: 0o755 });
    const { options, notes } = at(home);
    await installMcp(client, options);
    expect(fs.readFileSync(said, 'utf8').trim()).toBe(words);
    expect(notes()).toContain('Added');
  });

  it('is left alone where it has the server already', async () => {
    const home = tempFolder();
    const entry = { type: 'stdio', command: 'npx', args: ['-y', 'substrated', 'mcp'], env: {} };
    fs.writeFileSync(
      path.join(home, '.claude.json'),
      JSON.stringify({ numStartups: 3, mcpServers: { substrate: entry } }),
    );
    const { options, notes } = at(home);
    await installMcp(client, options);
    expect(notes()).toContain('already');
  });

  it('gets a command for a person where it is not on the path', async () => {
    await expect(installMcp(client, at(tempFolder()).options)).rejects.toThrow(`Run: claude ${words}`);
  });
});

it('lists the clients, which of them are here, and which have the tools', async () => {
  const home = tempFolder();
  fs.mkdirSync(path.join(home, '.config/zed'), { recursive: true });
  await installMcp(clientNamed('cursor'), at(home).options);
  const listed = at(home, { json: true });
  listClients(listed.options);
  const { clients } = JSON.parse(listed.out()) as { clients: { client: string; found: boolean; installed: boolean }[] };
  expect(clients.map(({ client }) => client)).toEqual(CLIENTS.map(({ name }) => name));
  expect(clients.filter(({ found }) => found).map(({ client }) => client)).toEqual(['cursor', 'zed']);
  expect(clients.filter(({ installed }) => installed).map(({ client }) => client)).toEqual(['cursor']);
  const shown = at(home);
  listClients(shown.options);
  expect(shown.out()).toMatch(/^cursor +found +set up +\//m);
});

describe('an entry in settings', () => {
  const wanted = { section: 'servers', name: 'substrate', entry: { command: 'npx' }, replace: false };
  const changed = (text: string) => {
    const edit = addEntry(text, wanted);
    if (edit.kind !== 'changed') throw new Error(edit.kind);
    return edit.text;
  };

  it.each([
    ['an empty object', '{}', '{\n  "servers": {\n    "substrate": {\n      "command": "npx"\n    }\n  }\n}'],
    ['nothing', ' \n', '{\n  "servers": {\n    "substrate": {\n      "command": "npx"\n    }\n  }\n}\n'],
    [
      'only a comment inside',
      '{\n\t// none yet\n}\n',
      '{\n\t// none yet\n  "servers": {\n    "substrate": {\n      "command": "npx"\n    }\n  }\n}\n',
    ],
    [
      'tabs',
      '{\n\t"a": 1\n}',
      '{\n\t"a": 1,\n\t"servers": {\n\t\t"substrate": {\n\t\t\t"command": "npx"\n\t\t}\n\t}\n}',
    ],
    ['one line', '{"a": 1}', '{"a": 1,\n  "servers": {\n    "substrate": {\n      "command": "npx"\n    }\n  }}'],
    [
      'a comma at the end',
      '{\n  "servers": {\n    "x": {}, /* one */ // two\n  },\n}',
      '{\n  "servers": {\n    "x": {}, /* one */ // two\n    "substrate": {\n      "command": "npx"\n    },\n  },\n}',
    ],
  ])('is added to %s', (_, before, after) => {
    expect(changed(before)).toBe(after);
  });

  it('keeps the ends of lines and the mark at the beginning', () => {
    const text = changed('\uFEFF{\r\n    "a": 1\r\n}\r\n');
    expect(text.startsWith('\uFEFF{\r\n    "a": 1,\r\n    "servers": {\r\n        "substrate": {')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('adds itself and changes nothing else, whatever the settings are', () => {
    const settings = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    fc.assert(
      fc.property(settings, fc.constantFrom(undefined, 1, 2, '\t'), (before, indent) => {
        const edit = addEntry(JSON.stringify(before, null, indent), { ...wanted, section: 'mcpServers' });
        if (edit.kind === 'unsafe') return Object.hasOwn(before, '__proto__');
        if (edit.kind !== 'changed') throw new Error(edit.kind);
        const section = { ...(before.mcpServers as object | undefined), substrate: wanted.entry };
        expect(JSON.parse(edit.text)).toEqual({ ...JSON.parse(JSON.stringify(before)), mcpServers: section });
        return true;
      }),
    );
  });
});
