// Ordinary and less ordinary code that once led the agent astray.
function createUser(name) {
  let greetings = 0;
  return {
    name,
    greet() {
      greetings++;
      return `${name} ${greetings}`;
    },
  };
}
class Account {
  #value = 2;
  #big = 5n;
  #limit = Number.POSITIVE_INFINITY;
  value = 1;
  read() {
    return [this.#value, this.#big, this.#limit];
  }
  fail() {
    throw Object.defineProperty(new Error('x'), 'name', {
      get() {
        throw Object.create(null);
      },
    });
  }
}
const user = createUser('ann');
const account = new Account();
const stats = new Map([
  ['size', 10],
  ['hits', 3],
]);
const box = {
  count: 0,
  report() {
    return 1;
  },
};
globalThis.cache = { full: true };
function startJob(id) {
  let job;
  setInterval(() => {
    job = { id };
    return job;
  }, 5);
}
startJob('first');
startJob('second');
process.stdin.on('data', (command) => {
  if (String(command).startsWith('replace')) {
    box.report = () => {
      box.count++;
    };
  }
  if (String(command).startsWith('forget')) delete globalThis.cache;
  console.log('done');
});
setInterval(() => [user.greet, account.read, stats.size, box.report], 60_000);
console.log('ready');
