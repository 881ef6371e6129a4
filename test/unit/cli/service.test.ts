import { describe, expect, it } from 'vitest';
import { launchdPlist } from '../../../src/cli/service/launchd-plist.ts';
import { installService, serviceStatus, uninstallService } from '../../../src/cli/service/service.ts';
import { managerOf, type ServiceHost } from '../../../src/cli/service/service-host.ts';
import { remarksOn, serviceProgram } from '../../../src/cli/service/service-program.ts';
import { systemdUnit } from '../../../src/cli/service/systemd-unit.ts';
import { createTerminal } from '../../../src/cli/terminal.ts';
import { tempFolder } from '../store/temp-folder.ts';

const program = (script: string, env: NodeJS.ProcessEnv = {}) =>
  serviceProgram({ node: '/usr/bin/node', script, configFile: '/home/a b/c.toml', env, log: '/home/a/daemon.log' });

/** A manager that obeys, and records its commands. */
function hostOn(platform: NodeJS.Platform, homeDir: string) {
  const asked: string[] = [];
  let active = false;
  const host: ServiceHost = {
    platform,
    uid: 501,
    homeDir,
    // Nobody listens there.
    env: { SUBSTRATE_SERVER__PORT: '1' },
    run(command) {
      const line = command.join(' ');
      if (/is-active|print/.test(line)) return { code: active ? 0 : 3, output: '' };
      asked.push(line);
      if (/restart|bootstrap/.test(line)) active = true;
      if (/disable|bootout/.test(line)) active = false;
      return { code: 0, output: '' };
    },
  };
  return { host, asked };
}

function optionsFor(host: ServiceHost) {
  let out = '';
  let notes = '';
  const terminal = createTerminal({ write: (text) => { out += text; } }, { write: (text) => { notes += text; } }, {}); // biome-ignore format: short
  const options = { configFile: undefined, host, terminal, json: false, script: process.execPath, print: false };
  return { options, out: () => out, notes: () => notes };
}

describe('a systemd unit', () => {
  it('escapes what systemd would read', () => {
    const unit = systemdUnit(program('/opt/50% "off"/$HOME\\x/substrate.js', { XDG_DATA_HOME: '/d%' }));
    expect(unit).toContain(
      'ExecStart="/usr/bin/node" "/opt/50%% \\"off\\"/$$HOME\\\\x/substrate.js" "serve" "--config" "/home/a b/c.toml"\n',
    );
    expect(unit).toContain('Environment="XDG_DATA_HOME=/d%%"\n');
    expect(() => program('/opt/new\nline')).toThrow('control character');
  });

  it('starts at login, again after a failure, and leaves the daemon in the namespaces of the apps', () => {
    const unit = systemdUnit(program('/opt/substrate.js'));
    expect(unit).toContain('WantedBy=default.target\n');
    expect(unit).toContain('Restart=on-failure\n');
    expect(unit).not.toMatch(/^(?:Private|Protect|ReadOnly|Inaccessible|MemoryDeny|SystemCallFilter)/m);
  });
});

describe('a launchd agent', () => {
  it('is a property list with everything escaped', () => {
    const plist = launchdPlist(program('/Users/a & <b>/substrate.js', { XDG_DATA_HOME: '/d' }));
    expect(plist).toContain('<string>/Users/a &amp; &lt;b&gt;/substrate.js</string>');
    expect(plist).toMatch(/<key>Label<\/key>\n {2}<string>dev\.substrate\.daemon<\/string>/);
    expect(plist).toMatch(/<key>XDG_DATA_HOME<\/key>\s*<string>\/d<\/string>/);
    expect(plist).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/);
  });
});

describe.each<[NodeJS.Platform, string, string[], string[]]>([
  [
    'linux',
    '.config/systemd/user/substrate.service',
    ['daemon-reload', 'enable substrate.service', 'restart substrate.service'].map(
      (rest) => `systemctl --user ${rest}`,
    ),
    ['disable --now substrate.service', 'daemon-reload'].map((rest) => `systemctl --user ${rest}`),
  ],
  [
    'darwin',
    'Library/LaunchAgents/dev.substrate.daemon.plist',
    ['launchctl bootstrap gui/501 HOME/Library/LaunchAgents/dev.substrate.daemon.plist'],
    ['launchctl bootout gui/501/dev.substrate.daemon'],
  ],
])('a service on %s', (platform, file, started, stopped) => {
  it('is installed once, shown and removed', async () => {
    const home = tempFolder();
    const { host, asked } = hostOn(platform, home);
    const { options, out, notes } = optionsFor(host);
    await installService(options);
    expect(out()).toBe(`${home}/${file} written\n`);
    expect(asked.splice(0)).toEqual(started.map((line) => line.replace('HOME', home)));
    expect(notes()).toContain('substrate service uninstall');
    await installService(options);
    expect(asked).toEqual([]);
    expect(serviceStatus(options)).toBe(0);
    uninstallService(options);
    expect(asked).toEqual(stopped);
    expect(serviceStatus(options)).toBe(4);
  });
});

it('is refused where services are not known', () => {
  expect(() => managerOf(hostOn('win32', '/').host)).toThrow('not on win32');
});

it('warns of what may surprise later', () => {
  const script = '/home/a/.npm/_npx/1a2b/node_modules/substrated/dist/substrate.js';
  expect(remarksOn({ script, env: { SUBSTRATE_LOG__LEVEL: 'debug' } })).toEqual([
    expect.stringContaining('cache of npx'),
    expect.stringContaining('SUBSTRATE_LOG__LEVEL'),
  ]);
  expect(remarksOn({ script: '/usr/lib/substrate.js', env: { SUBSTRATE_KEY: 'x' } })).toEqual([]);
});
