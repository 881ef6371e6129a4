// Its event loop turns until somebody asks it through the inspector to take a turn. Then it is blocked until a file appears.
const fs = require('node:fs');
const timers = require('node:timers');
const flag = process.argv[2];
const { setImmediate } = timers;
let rounds = 0;

timers.setImmediate = (...args) => {
  timers.setImmediate = setImmediate;
  setImmediate(() => {
    while (!fs.existsSync(flag)) rounds++;
    console.log('free');
  });
  return setImmediate(...args);
};
setInterval(() => rounds++, 1000);
console.log('ready');
