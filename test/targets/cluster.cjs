// A primary process that reports what its worker asks it to listen on, as reload tools do.
const cluster = require('node:cluster');
if (cluster.isPrimary) {
  cluster.on('listening', (_worker, address) => console.log(`listening on ${JSON.stringify(address)}`));
  cluster.fork().on('message', (pid) => console.log(`worker ${pid}`));
} else {
  const jobs = { done: 0 };
  setInterval(() => jobs.done, 1000);
  process.send(process.pid);
}
