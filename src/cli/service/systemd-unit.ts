/** The text of a systemd user unit. */
import type { ServiceProgram } from './service-program.ts';

/**
 * Hardening that puts the daemon into namespaces of its own (PrivateTmp, ProtectHome, ProtectProc, PrivateUsers and all
 * that imply one of them for a user's service) is left out intentionally: apps are attached to by sockets in /tmp, and
 * recognised through /proc.
 */
export function systemdUnit({ command, environment }: ServiceProgram): string {
  const lines = [
    '# Written by: substrate service install. Undone by: substrate service uninstall.',
    '[Unit]',
    'Description=substrate: live state and typed actions of running applications',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${command.map((word) => quoted(word, true)).join(' ')}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`, false)}`),
    'Restart=on-failure',
    'RestartSec=2',
    'TimeoutStopSec=15',
    '# No namespaces of its own (PrivateTmp, ProtectProc, PrivateUsers …): it could not attach to apps then.',
    'NoNewPrivileges=yes',
    'RestrictSUIDSGID=yes',
    'RestrictRealtime=yes',
    'LockPersonality=yes',
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
  return `${lines.join('\n')}\n`;
}

/** systemd.syntax(7): quotes and backslashes as in C; `%` begins a specifier, and in commands `$` a variable. */
function quoted(text: string, isCommand: boolean): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%');
  return `"${isCommand ? escaped.replaceAll('$', '$$$$') : escaped}"`;
}
