/** Predicates at the limits of cost, on an app with many rows, from one key that may only read. */
import { setTimeout as delay } from 'node:timers/promises';
import { Clients } from './clients.ts';

const EXPRESSIONS = 128;
const QUIET_S = 5;
const SECONDS = 20;
const PAUSE_MS = 20;
const WARM_MS = 500;
/** The limit on a quiet machine; a busy one may take this many times longer than without the expressions. */
const MAX_MS = 50;
const MAX_TIMES = 20;

interface Place {
  readonly port: number;
  /** May only read. */
  readonly attacker: string;
  readonly other: string;
  /** The app with many rows, and the one that the other key reads. */
  readonly wide: number;
  readonly small: number;
  fail(message: string): void;
}

/** None is ever true, and no two are the same. */
function worst(at: number): string {
  const forms = [
    `wall.rows.some(a => wall.rows.some(b => state[a + b] === ${at}))`,
    Array.from({ length: 45 }, (_, part) => `wall.rows.includes("${at} ${part}")`).join(' || '),
    `Object.entries(state).filter(e => e[0].includes("${at} none") || e[1] === -1).length > 0`,
    `wall.rows.map(a => wall.rows.filter(b => a + b === "${at}")).length < 0`,
    `wall.rowz${at}.lenght === wall.rovs${at}.length`,
  ];
  return forms[at % forms.length] ?? '';
}

export async function pressWithExpressions({ port, attacker, other, wide, small, fail }: Place) {
  const readers = [new Clients(port, other, fail), new Clients(port, other, fail)] as const;
  const attackers = new Clients(port, attacker, fail);
  const [quiet, busy] = readers.map(({ times }) => times) as [Clients['times'], Clients['times']];
  try {
    for (const [at, seconds] of [QUIET_S, SECONDS].entries()) {
      const reader = readers[at];
      reader?.read('health', '/health', PAUSE_MS);
      reader?.read('state', `/substrate/v1/state/${small}`, PAUSE_MS);
      await delay(WARM_MS);
      for (let number = 0; at === 1 && number < EXPRESSIONS; number++) attackers.verify(wide, worst(number));
      await delay(seconds * 1000);
      await reader?.end();
    }
  } finally {
    await Promise.all([attackers, ...readers].map((clients) => clients.end()));
  }
  const { health, state } = busy;
  for (const [name, times, before] of [
    ['health', health, quiet.health],
    ['state', state, quiet.state],
  ] as const) {
    const limit = Math.max(MAX_MS, MAX_TIMES * before.part(0.99));
    if (times.count === 0 || times.part(0.99) > limit) fail(`${name}: waited for the expressions of another key`);
  }
  return {
    verified: attackers.counts.verified,
    overloaded: attackers.counts.refused,
    'health p99 ms before': quiet.health.part(0.99),
    'state p99 ms before': quiet.state.part(0.99),
    'health p50 ms': health.part(0.5),
    'health p99 ms': health.part(0.99),
    'state p50 ms': state.part(0.5),
    'state p99 ms': state.part(0.99),
  };
}
