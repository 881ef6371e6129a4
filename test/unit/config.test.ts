import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { ConfigError, type ConfigRequest, loadConfig } from '../../src/config.ts';
import { configSchema } from '../../src/config-schema.ts';
import { tempFolder } from './store/temp-folder.ts';

function configIn(folder: string, toml: string): string {
  const file = path.join(folder, 'config.toml');
  writeFileSync(file, toml);
  return file;
}

function problems(request: Partial<ConfigRequest>): readonly string[] {
  try {
    loadConfig({ env: {}, homeDir: '/nowhere', ...request });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('where things are', () => {
  test('without a file and an environment there are the defaults, in the XDG folders', () => {
    expect(loadConfig({ env: {}, homeDir: '/nowhere/me' })).toEqual({
      config: configSchema.parse({}),
      paths: {
        configFile: null,
        keysFile: '/nowhere/me/.local/share/substrate/keys.json',
        storageDir: '/nowhere/me/.local/share/substrate',
        schemasDir: '/nowhere/me/.local/share/substrate/schemas',
      },
    });
  });

  test('XDG_CONFIG_HOME and XDG_DATA_HOME are respected, unless relative', () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'substrate'));
    const file = configIn(path.join(folder, 'substrate'), '[server]\nport = 1\n');
    const env = { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: '/data' };
    const { config, paths } = loadConfig({ env, homeDir: '/nowhere' });
    expect(config.server.port).toBe(1);
    expect(paths).toMatchObject({ configFile: file, keysFile: '/data/substrate/keys.json' });
    const relative = loadConfig({ env: { XDG_DATA_HOME: 'data' }, homeDir: '/nowhere' });
    expect(relative.paths.storageDir).toBe('/nowhere/.local/share/substrate');
  });

  test('~/ is the home folder; relative paths start at the config file', () => {
    const folder = tempFolder();
    const configFile = configIn(folder, '[auth]\nkeys_file = "~/k.json"\n[storage]\ndir = "state"\n');
    const { paths } = loadConfig({ configFile, env: {}, homeDir: '/home/me' });
    expect(paths).toEqual({
      configFile,
      keysFile: '/home/me/k.json',
      storageDir: path.join(folder, 'state'),
      schemasDir: path.join(folder, 'state', 'schemas'),
    });
  });

  test('a config file that was asked for must be there and be text', () => {
    const folder = tempFolder();
    expect(problems({ configFile: '/nowhere/c.toml' })).toEqual(['/nowhere/c.toml: there is no such config file']);
    mkdirSync(path.join(folder, 'below'));
    expect(problems({ configFile: path.join(folder, 'below') })).toEqual([`${folder}/below: cannot be read: EISDIR`]);
    writeFileSync(path.join(folder, 'latin1.toml'), Buffer.from([0x23, 0xe4, 0x0a]));
    expect(problems({ configFile: path.join(folder, 'latin1.toml') })[0]).toContain('is not UTF-8 text');
  });
});

describe('a config file that others could have written is refused', () => {
  test('by its own mode, and that of its folder', () => {
    const folder = tempFolder();
    const configFile = configIn(folder, '');
    chmodSync(configFile, 0o664);
    expect(problems({ configFile })).toEqual([expect.stringContaining(`chmod go-w ${configFile}`)]);
    chmodSync(configFile, 0o644);
    expect(problems({ configFile })).toEqual([]);
    chmodSync(folder, 0o770);
    expect(problems({ configFile })).toEqual([expect.stringContaining(`chmod go-w ${folder}`)]);
    chmodSync(folder, 0o1777);
    expect(problems({ configFile })).toEqual([expect.stringContaining('Use a folder of your own.')]);
  });

  test('where a link leads, too', () => {
    const [safe, unsafe] = [tempFolder(), tempFolder()];
    const configFile = path.join(safe, 'link.toml');
    symlinkSync(configIn(unsafe, ''), configFile);
    expect(problems({ configFile })).toEqual([]);
    chmodSync(unsafe, 0o777);
    expect(problems({ configFile })).toEqual([expect.stringContaining(`chmod go-w ${unsafe}`)]);
  });

  test.runIf(process.getuid?.() === 0)('by its owner, and that of its folder', () => {
    const folder = tempFolder();
    const configFile = configIn(folder, '');
    for (const place of [configFile, folder]) {
      chownSync(place, 65534, 65534);
      expect(problems({ configFile })).toEqual([expect.stringContaining(`${place} belongs to another user`)]);
      chownSync(place, 0, 0);
    }
    expect(problems({ configFile })).toEqual([]);
  });
});

test('a flag wins over the environment, that over the file, that over the default', () => {
  const configFile = configIn(tempFolder(), '[server]\nhost = "::1"\nport = 1\n[probe]\nhistory = 9\n');
  const env = {
    SUBSTRATE_SERVER__PORT: '2',
    SUBSTRATE_SERVER__HOST: '0.0.0.0',
    SUBSTRATE_AUTH__REQUIRE_KEY: 'false',
    SUBSTRATE_SCANNER__EXCLUDE: 'java, 17 ,,node',
    SUBSTRATE_PROBE__V8__HEAP_SCAN: 'false',
    SUBSTRATE_REDACT__ALLOW: 'design.tokens, **.nextToken',
    SUBSTRATE_KEY: 'sk_substrate_x',
    SUBSTRATE_URL: 'http://127.0.0.1:1',
  };
  const { config } = loadConfig({
    configFile,
    env,
    homeDir: '/nowhere',
    flags: { server: { host: undefined, port: 3 } },
  });
  expect(config).toEqual(
    configSchema.parse({
      server: { host: '0.0.0.0', port: 3 },
      auth: { require_key: false },
      scanner: { exclude: ['java', 17, 'node'] },
      probe: { history: 9, v8: { heap_scan: false } },
      redact: { allow: ['design.tokens', '**.nextToken'] },
    }),
  );
});

describe('what is wrong is named', () => {
  test('in the file: with the line, what was found and what was expected', () => {
    const toml = [
      '# a comment',
      '[scanner]',
      'exclude = [',
      '  "a", # port = 1',
      '',
      '  true,',
      ']',
      'interval_ms = 1.5',
      '',
      '[server]',
      'prot = 1',
      'port = "7842"',
      '',
      '[log]',
      'level = "loud"',
      'require_key = false',
      '[servr]',
      '[probe.v8]',
      'heap_scan = 1979-05-27',
      '[probe.clr]',
      'x = 1',
    ].join('\n');
    const configFile = configIn(tempFolder(), toml);
    expect(problems({ configFile })).toEqual([
      `${configFile}:12: [server] port: found "7842", expected a whole number from 0 to 65535`,
      `${configFile}:11: unknown key in [server]: "prot", expected one of host, port, allowed_hosts; did you mean "port"?`,
      `${configFile}:8: [scanner] interval_ms: found 1.5, expected a whole number of at least 50`,
      `${configFile}:3: [scanner] exclude[1]: found true, expected a string or a whole number`,
      `${configFile}:19: [probe.v8] heap_scan: found a date, expected true or false`,
      `${configFile}:21: unknown key in [probe.clr]: "x", expected one of interrupt_actions, heap, heap_max_mb, forms`,
      `${configFile}:15: [log] level: found "loud", expected one of "trace", "debug", "info", "warn", "error", "silent"`,
      `${configFile}:16: unknown key in [log]: "require_key", expected one of level, format; did you mean [auth] require_key?`,
      `${configFile}:17: unknown section or key "servr", expected one of server, auth, rate_limit, scanner, probe, redact, action, browser, fleet, metrics, mcp, storage, log; did you mean "server"?`,
    ]);
  });

  test.each([
    ['server = 3', ':1: [server]: found 3, expected a section with host, port'],
    ['[[server]]', ':1: [server]: found a list, expected a section with host, port'],
    ['server = { port = -1 }', ':1: [server] port: found -1, expected a whole number from 0 to 65535'],
    ['server."port" = nan', ':1: [server] port: found NaN, expected a whole number from 0 to 65535'],
    ['auth.keys_file = ""', ':1: [auth] keys_file: found "", expected a string that is not empty'],
    ['[auth]\nkeys_file = """\n# """\nrequire_key = 0', ':4: [auth] require_key: found 0, expected true or false'],
    ['port = 1', ':1: unknown section or key "port"'],
    ['[server]\nport = ', ':2:8: Invalid TOML document'],
    ['[server]\nport = 99999999999999999999', ':2:8: Invalid TOML document'],
    ['[server]\nport = 1\nport = 2', ':3:1: Invalid TOML document'],
    ['__proto__.port = 1', ':1:1: Invalid TOML document'],
  ])('%j', (toml, expected) => {
    const configFile = configIn(tempFolder(), toml);
    expect(problems({ configFile })).toHaveLength(1);
    expect(problems({ configFile })[0]?.startsWith(configFile + expected), problems({ configFile })[0]).toBe(true);
  });

  test.each([
    ['SUBSTRATE_SERVER__PORT', 'http', ': [server] port: found "http", expected a whole number from 0 to 65535'],
    ['SUBSTRATE_SERVER__PORT', '', ': [server] port: found "", expected a whole number from 0 to 65535'],
    ['SUBSTRATE_SERVER__PORT', '70000', ': [server] port: found 70000, expected a whole number from 0 to 65535'],
    ['SUBSTRATE_AUTH__REQUIRE_KEY', 'no', ': [auth] require_key: found "no", expected true or false'],
    ['SUBSTRATE_SERVER__PROT', '1', ': names no setting; did you mean "SUBSTRATE_SERVER__PORT"?'],
    ['SUBSTRATE_server__port', '1', ': names no setting; did you mean "SUBSTRATE_SERVER__PORT"?'],
    ['SUBSTRATE_NOTHING__LIKE_THIS_AT_ALL', '1', ': names no setting'],
    ['SUBSTRATE___PROTO____X', '1', ': names no setting'],
  ])('in the environment: %s=%s', (name, value, expected) => {
    expect(problems({ env: { [name]: value } })).toEqual([`environment variable ${name}${expected}`]);
  });

  test('in a flag', () => {
    expect(problems({ flags: { server: { port: 65536 } } })).toEqual([
      '--port: [server] port: found 65536, expected a whole number from 0 to 65535',
    ]);
  });
});

const integers = (min: number, max = 1_000_000) => fc.integer({ min, max });
const names = fc.stringMatching(/^[a-z][a-z.]{0,8}$/);
const validConfig = fc.record(
  {
    server: fc.record({ host: names, port: integers(0, 65535) }, { requiredKeys: [] }),
    auth: fc.record({ require_key: fc.boolean(), keys_file: fc.string({ minLength: 1 }) }, { requiredKeys: [] }),
    rate_limit: fc.record({ enabled: fc.boolean(), bucket_ttl_secs: integers(1) }, { requiredKeys: [] }),
    scanner: fc.record({ interval_ms: integers(50), exclude: fc.array(fc.oneof(names, integers(1))) }),
    probe: fc.record({ history: integers(2, 100_000), v8: fc.record({ heap_scan: fc.boolean() }) }),
    log: fc.record({ level: fc.constantFrom('trace', 'info', 'silent'), format: fc.constantFrom('json', 'pretty') }),
  },
  { requiredKeys: [] },
);

function variablesOf(table: object, prefix = 'SUBSTRATE_'): [string, string][] {
  return Object.entries(table).flatMap(([key, value]): [string, string][] => {
    const name = prefix + key.toUpperCase();
    return typeof value === 'object' && !Array.isArray(value)
      ? variablesOf(value, `${name}__`)
      : [[name, String(value)]];
  });
}

describe('whatever comes in', () => {
  test('a valid file comes out as it was written', () => {
    const folder = tempFolder();
    fc.assert(
      fc.property(validConfig, (config) => {
        const configFile = configIn(folder, stringify(config));
        expect(loadConfig({ configFile, env: {}, homeDir: '/nowhere' }).config).toEqual(configSchema.parse(config));
      }),
    );
  });

  test('a valid environment does too', () => {
    fc.assert(
      fc.property(validConfig, (config) => {
        const env = Object.fromEntries(variablesOf(config));
        expect(loadConfig({ env, homeDir: '/nowhere' }).config).toEqual(configSchema.parse(config));
      }),
    );
  });

  const onlyConfigErrors = (request: ConfigRequest) => {
    try {
      configSchema.parse(loadConfig(request).config);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
    }
  };
  const keys = fc.oneof(
    fc.constantFrom('server', 'port', 'probe', 'v8', 'heap_scan', 'exclude', 'scanner', '__proto__', 'constructor'),
    fc.string(),
  );
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
    ),
  })).value;

  test('text that is no config leads to a ConfigError or to a config', () => {
    const folder = tempFolder();
    const lines = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('[server]', 'port = 1', '"""', 'exclude = [', ']', '#')),
    );
    const bytes = fc.oneof(
      lines.map((all) => Buffer.from(all.join('\n'))),
      fc.uint8Array().map((all) => Buffer.from(all)),
    );
    fc.assert(
      fc.property(bytes, (content) => {
        const configFile = path.join(folder, 'config.toml');
        writeFileSync(configFile, content);
        onlyConfigErrors({ configFile, env: {}, homeDir: '/nowhere' });
      }),
      { numRuns: 500 },
    );
  });

  test('so do tables of anything', () => {
    const folder = tempFolder();
    fc.assert(
      fc.property(fc.dictionary(keys, values), (table) => {
        const configFile = configIn(folder, stringify(table));
        onlyConfigErrors({ configFile, env: {}, homeDir: '/nowhere' });
      }),
      { numRuns: 500 },
    );
  });

  test('and any environment', () => {
    const names = fc.oneof(
      fc.constantFrom('SUBSTRATE_SERVER__PORT', 'SUBSTRATE_SCANNER__EXCLUDE', 'SUBSTRATE_PROBE__V8', 'SUBSTRATE___'),
      fc.constantFrom('SUBSTRATE_STORAGE__DIR', 'SUBSTRATE_LOG__LEVEL', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'),
      fc.string().map((text) => `SUBSTRATE_${text}`),
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), (env) => onlyConfigErrors({ env, homeDir: '/nowhere' })),
      { numRuns: 500 },
    );
  });
});
