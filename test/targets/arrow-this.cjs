// A program that keeps everything on `this`: no variable, export or global leads to its objects.
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const inspector = require('node:inspector');

class Mock {
  hits = 0;
  #paths = [];
  start() {
    const server = http.createServer((request, response) => {
      this.hits++;
      this.#paths.push(request.url);
      response.end('ok');
    });
    server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
  }
}

class Ticker {
  constructor() {
    this.ticks = 0;
    // A new function each time.
    const again = () => setTimeout(async () => this.tick().then(again), 20);
    again();
  }
  async tick() {
    this.ticks++;
  }
}

class Rows {
  constructor() {
    this.read = 0;
    this.last = '';
    setInterval(() => {
      for (const row of this.all()) this.last = row;
    }, 50);
  }
  *all() {
    this.read++;
    yield* [() => this.read].map((count) => `row ${count()}`);
  }
}

class Desk {
  constructor() {
    this.opened = true;
    process.stdin.on('data', this.onData.bind(this));
  }
  onData() {
    this.heard = (this.heard ?? 0) + 1;
  }
}

class Passing {
  constructor() {
    this.stays = false;
    timers.push(setInterval(() => void this.stays, 20));
    gone.register(this, 'passing');
  }
}

/** `<event> <times>` on stdin: how long that many calls took. */
class Calls {
  constructor() {
    this.events = new EventEmitter();
    this.count = 0;
    for (const name of ['hot', 'rare', 'killed']) this[`on${name}`] = 0;
    this.events.on('hot', () => this.onhot++);
    this.events.on('rare', () => this.onrare++);
    this.events.on('killed', () => this.onkilled++);
    this.events.on('plain', function () {
      this.plain = (this.plain ?? 0) + 1;
    });
    // Called by nobody: what holds the emitter, so that the search meets its listeners.
    process.stdin.on('end', Calls.emit.bind(null, this.events));
    process.stdin.on('data', Calls.run.bind(null, this.events));
  }
  static emit(events, name, times) {
    const start = performance.now();
    for (let n = 0; n < times; n++) events.emit(name);
    return performance.now() - start;
  }
  static run(events, text) {
    const [, name, times] = /^(hot|rare|killed|plain) (\d+)/m.exec(String(text)) ?? [];
    if (name) console.log(`${name} ${times} took ${Calls.emit(events, name, Number(times))} ms`);
  }
}

/** A debugger of the program's own. */
class OwnDebugger {
  constructor() {
    const session = new inspector.Session();
    session.connect();
    session.on('Debugger.paused', ({ params }) =>
      console.log(`paused: ${params.reason} ${params.hitBreakpoints.length}`),
    );
    session.post('Debugger.enable');
    const lines = fs.readFileSync(__filename, 'utf8').split('\n');
    const lineNumber = lines.findLastIndex((line) => line.includes('return stops++;'));
    session.post('Debugger.setBreakpointByUrl', { lineNumber, url: `file://${__filename}` });
    this.stops = 0;
    process.stdin.on('data', (text) => {
      if (String(text).startsWith('stop')) this.stops = stop();
    });
  }
}
let stops = 1;
function stop() {
  // biome-ignore lint/suspicious/noDebugger: whether its debugger stops here is what the test looks at.
  debugger;
  return stops++;
}

const timers = [];
const gone = new FinalizationRegistry((name) => console.log(`${name} was collected`));
process.stdin.on('data', (text) => {
  if (String(text).startsWith('drop')) clearInterval(timers.pop());
  if (String(text).startsWith('collect')) setImmediate(() => global.gc?.());
});

for (const part of process.argv.slice(2))
  new ({ Mock, Ticker, Rows, Desk, Passing, Calls, OwnDebugger })[part]().start?.();
console.log('ready');
