// Debian packages that the tests need: installs missing ones, or prints the command. `node scripts/system-packages.mjs
// <name> …`
import { spawnSync } from 'node:child_process';
import { step } from './install.mjs';

const missing = process.argv.slice(2).filter((name) => !isInstalled(name));
if (missing.length > 0) install(missing);

function install(names) {
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...names];
  if (process.getuid?.() !== 0) {
    console.error(`The tests need packages of Debian that are not installed. An administrator installs them with:

  sudo apt-get update && sudo ${command.join(' ')}

Tests that need none of them: npm run check`);
    process.exit(1);
  }
  console.error(`Installing ${names.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  step('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 2] });
  step(command[0], [...command.slice(1), '-qq'], { env, stdio: ['ignore', 'ignore', 2] });
}

function isInstalled(name) {
  const { stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' });
  return /^Status: install ok installed$/m.test(stdout ?? '');
}
