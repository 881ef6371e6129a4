// Has no room for the agent's folder, and says for how long nobody had been connected to its inspector when it was closed.
const fs = require('node:fs');
const inspector = require('node:inspector');

/** Linux remembers a connection that has ended for a minute, and counts down, in hundredths of a second. */
const ENDED = '06';
const REMEMBERED = 6000;
const { close } = inspector;

function msWithoutConnections(port) {
  const ending = `:${port.toString(16).toUpperCase()}`;
  const lines = fs.readFileSync('/proc/self/net/tcp', 'utf8').trim().split('\n').slice(1);
  const ages = lines.flatMap((line) => {
    const [, local, remote, state, , timer] = line.trim().split(/\s+/);
    const isConnection = [local, remote].some((end) => end.endsWith(ending)) && !remote.endsWith(':0000');
    if (!isConnection) return [];
    return state === ENDED ? [10 * (REMEMBERED - Number.parseInt(timer.split(':')[1], 16))] : [0];
  });
  return Math.min(...ages);
}

fs.mkdirSync = () => {
  throw new Error('there is no room');
};
inspector.close = () => {
  console.log(`closed after ${msWithoutConnections(Number(new URL(inspector.url()).port))} ms`);
  close();
};
process.stdin.resume();
console.log('ready');
