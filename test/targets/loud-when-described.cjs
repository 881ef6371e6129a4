// Objects that count it when V8 describes them: lists by their length, errors by what they say.
let touched = 0;
const touch = (value) => {
  touched++;
  return value;
};

class Inherits {
  #secret = 1;
  kept = 'inherits';
  get length() {
    return touch(this.#secret);
  }
  splice() {}
}
class Owns {
  #secret = 2;
  kept = 'owns';
  constructor() {
    Object.defineProperty(this, 'length', { get: () => touch(this.#secret), configurable: true });
  }
  splice() {}
}
/** As webpack does it. */
class Deprecated extends Set {}
Object.defineProperty(Deprecated.prototype, 'length', { get: () => touch(0) });
Deprecated.prototype.splice = () => {};
class Failure extends Error {
  get message() {
    return touch('failed');
  }
}
class Holder {
  #secret = 3;
  read() {
    return this.#secret;
  }
  files = new Deprecated(['a.js']);
  inner = new Owns();
  failure = new Failure();
}
class Quiet {
  #secret = 4;
  kept = 'quiet';
  bump() {
    this.#secret += 1;
    return this.#secret;
  }
}
/** An error of the old kind, and one that lies around. */
function Trouble() {
  Error.captureStackTrace(this, Trouble);
}
Object.defineProperty(Trouble.prototype, 'message', { get: () => touch('trouble') });
function Toolbox() {}
Toolbox.inside = new Owns();

const inherits = new Inherits();
const owns = new Owns();
const holder = new Holder();
const quiet = new Quiet();
const state = { list: [new Owns()], files: new Deprecated(), failure: new Failure(), trouble: new Trouble() };
Object.defineProperty(state, 'splice', { get: () => touch(null), configurable: true });

process.stdin.on('data', () => console.log(`touched ${touched}`));
// An error describes itself when it is made.
touched = 0;
setInterval(() => [inherits, owns, holder, quiet, state, Toolbox], 1000);
console.log('ready');
