// Nothing but a promise keeps this going: no timer, server or module leads to its state.
import { EventEmitter, once } from 'node:events';

const jobs = { pending: 3, done: 0 };
class Worker {
  constructor() {
    this.name = 'first';
  }
  finish() {
    jobs.pending--;
    jobs.done++;
  }
}
async function work(worker, gate) {
  for (;;) {
    await once(gate, 'go');
    worker.finish();
  }
}
// MB that nobody can see.
const held = Array.from({ length: Number(process.argv[2] ?? 0) * 4000 }, (_, at) => ({
  at,
  text: `row ${at} ${'x'.repeat(200)}`,
}));
setImmediate(() => held.length);
void work(new Worker(), new EventEmitter());
process.stdin.resume();
console.log('ready');
