// Runs independent commands in parallel. The output of each is printed in one piece, at its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './install.mjs';

/**
 * `tasks`: { what, command: [program, …arguments], after: [what, …] }, in the order of their start. Returns whether all
 * succeeded; after a failure nothing more is started. At most `atOnce` run in parallel.
 */
export function runTasks(tasks, atOnce = 4) {
  return startTasks(tasks, atOnce).all;
}

/** The same, with `after(names)` besides: whether these went well, as soon as that is known. */
export function startTasks(tasks, atOnce = 4) {
  const ends = new Map(tasks.map(({ what }) => [what, deferred()]));
  const all = runAll(tasks, atOnce, ({ what, isGood }) => ends.get(what).resolve(isGood));
  // A task that was never started, because another failed before it, did not go well.
  all.then(() => {
    for (const { resolve } of ends.values()) resolve(false);
  });
  return {
    all,
    after: async (names) => (await Promise.all(names.map((name) => ends.get(name).promise))).every(Boolean),
  };
}

async function runAll(tasks, atOnce, onEnd) {
  const waiting = [...tasks];
  const done = new Set();
  const running = new Map();
  let good = true;
  for (;;) {
    while (good && running.size < atOnce) {
      const next = waiting.findIndex(({ after = [] }) => after.every((what) => done.has(what)));
      if (next < 0) break;
      const [task] = waiting.splice(next, 1);
      running.set(task.what, run(task));
    }
    if (running.size === 0) return good;
    const end = await Promise.race(running.values());
    running.delete(end.what);
    done.add(end.what);
    good &&= end.isGood;
    onEnd(end);
  }
}

async function run({ what, command: [program, ...args] }) {
  const started = performance.now();
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
  const status = await once(child, 'close').then(
    ([code]) => code,
    (error) => error.message,
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const isGood = status === 0;
  console.error(`— ${what}, ${seconds} s${isGood ? '' : `: ${[program, ...args].join(' ')} failed (${status})`}`);
  process.stderr.write(Buffer.concat(printed));
  return { what, isGood };
}

/** A promise, and what fulfils it. */
function deferred() {
  let resolve;
  const promise = new Promise((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
