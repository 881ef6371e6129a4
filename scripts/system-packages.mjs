// Debian packages that the tests need: installs what is missing, or says how.
import { spawnSync } from 'node:child_process';
import { step } from './install.mjs';

export function installSystemPackages(names) {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  if (process.getuid?.() !== 0) {
    console.error(`The tests need ${missing.join(', ')}. Install with: sudo ${command.join(' ')}`);
    process.exit(1);
  }
  console.error(`Installing ${missing.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  step('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 2] });
  step(command[0], [...command.slice(1), '-qq'], { env, stdio: ['ignore', 'ignore', 2] });
}

function isInstalled(name) {
  const { stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' });
  return /^Status: install ok installed$/m.test(stdout ?? '');
}
