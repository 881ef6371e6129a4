import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactedCommand, redactorOf } from '../../../src/cli/doctor/private-words.ts';
import type { ProcessReport } from '../../../src/cli/doctor/processes.ts';
import { makeReport } from '../../../src/cli/doctor/report.ts';
import { configSchema } from '../../../src/config-schema.ts';
import type { ProcessInfo } from '../../../src/model/process.ts';

const HOME = '/home/alice.smith';
const WORDS = { homeDir: HOME, names: ['alice.smith', 'alices-laptop'] };
const KEY = `sk_substrate_${'k3Y'.repeat(13)}x`;

const PROCESS: ProcessInfo = {
  pid: 42,
  startTime: '1',
  ppid: 1,
  uid: 1000,
  name: 'node',
  exe: '/usr/bin/node',
  argv: [],
  cwd: HOME,
};
const REPORT: ProcessReport = {
  ...{ pid: 42, name: 'shop', kind: 'Node.js', runtime: 'v8', uid: 1000, status: 'blocked' },
  ...{ way: null, blocker: null, remedy: null, verdict: [], helpers: 0, daemon: null },
};

function reportOf(texts: { argv?: string[]; message?: string; problem?: string; allow?: string[] }): string {
  const { argv = [], message = '', problem = '', allow = [] } = texts;
  const daemon = {
    ...{ app_id: 'shop-1', probe_status: 'error', problem, by_itself: true, reason: '', cost: null },
    ...{ parts: [{ name: 'swing', problem: message }], discarded: { 'Walk.read': 3 } },
  };
  const found_at = new Date(0).toISOString();
  const steps = [{ number: 1, depth: 0, step: 'attach', at_ms: 0, ms: 3, problem: message }];
  const facts = {
    config: configSchema.parse({ redact: { allow }, storage: { dir: `${HOME}/data` } }),
    checks: [{ id: 'configuration', status: 'ok' as const, message, remedy: null }],
    reports: [{ ...REPORT, blocker: problem, verdict: [`It cannot be attached to. ${problem}`], daemon }],
    all: [{ ...PROCESS, argv }],
    view: { baseUrl: 'http://127.0.0.1:7842', health: null, problem: message, isForeign: false, apps: new Map() },
    traces: new Map([[42, { pid: 42, app_id: 'shop-1', found_at, revision: 1, steps }]]),
    system: { platform: 'linux' },
    madeAt: new Date(0),
    uid: 1000,
  };
  return JSON.stringify(makeReport(facts, WORDS));
}

describe('a report for others', () => {
  it('has what helps, and names no person', () => {
    const text = reportOf({
      argv: ['/usr/bin/node', '--inspect=0', `${HOME}/shop/server.js`, '--password=hunter2', 'alice'],
      message: `${HOME}/.config/substrate/config.toml of alice.smith on alices-laptop with ${KEY}`,
      problem: 'Unexpected token in "4111 1111 1111 1111" at http://127.0.0.1:9222/json?token=abcdef',
      allow: ['customer.password'],
    });
    expect(text).toContain('~/.config/substrate/config.toml of <name> on <name> with <key>');
    expect(text).toContain('node --inspect… … --password… …');
    expect(text).toContain('"Walk.read":3');
    expect(text).toContain('http://127.0.0.1:9222/json?…');
    for (const secret of ['alice', 'hunter2', '4111', 'abcdef', 'customer', KEY, 'server.js'])
      expect(text).not.toContain(secret);
  });

  it('never carries the home folder, a key, an argument or what is quoted, whatever stands around them', () => {
    const around = fc.string({ maxLength: 20 }).filter((text) => !/[\w"'`]/.test(text));
    const value = fc.stringMatching(/^[a-z0-9]{12,20}$/);
    fc.assert(
      fc.property(around, around, value, value, (before, after, argument, quoted) => {
        const text = reportOf({
          argv: ['node', argument, `--token=${argument}`, `-Dapp.secret=${argument}`],
          message: `${before}${HOME}${after} ${before}${KEY}${after} /home/${argument}/x`,
          problem: `${before} '${quoted}' ${after} "${quoted}"`,
          allow: [argument],
        });
        for (const secret of [HOME, 'alice', KEY, argument, quoted]) expect(text).not.toContain(secret);
      }),
    );
  });

  it('keeps the switches of a JVM that decide about an attach', () => {
    expect(redactedCommand(['/opt/jdk/bin/java', '-XX:+DisableAttachMechanism', '-Xrs', '-Dpassword=x', 'Main'])).toBe(
      'java -XX:+DisableAttachMechanism -Xrs -Dpassword… …',
    );
  });

  it('leaves words alone that are names of users elsewhere', () => {
    const redact = redactorOf({ homeDir: '/root', names: ['root', 'node', 'al'] });
    expect(redact('root runs node in /root/app, al')).toBe('root runs node in ~/app, al');
  });
});
