// Closes its inspector as soon as somebody asks for a turn of the event loop.
const inspector = require('node:inspector');
const timers = require('node:timers');

const { setImmediate } = timers;
timers.setImmediate = () => setImmediate(() => inspector.close());
setInterval(() => {}, 1000);
console.log('ready');
