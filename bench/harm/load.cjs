// Requests at a fixed rate, whether the ones before were answered or not. Told what to do by its parent:
// { start: port, rate }, { stop: true }, and { take: true } for the times since the last one.
const http = require('node:http');

const SOCKETS = 32;
const TICK_MS = 2;

let agent = null;
let timer = null;
let times = [];
let errors = 0;

process.on('message', ({ start, rate, stop, take }) => {
  if (start) begin(start, rate);
  if (stop) finish();
  if (take) process.send(takeTimes());
});
process.on('disconnect', () => process.exit());

function begin(port, rate) {
  agent = new http.Agent({ keepAlive: true, maxSockets: SOCKETS });
  const from = performance.now();
  let sent = 0;
  timer = setInterval(() => {
    const due = ((performance.now() - from) / 1000) * rate;
    for (; sent < due; sent++) ask(port, agent);
  }, TICK_MS);
}

function ask(port, agent) {
  const sent = performance.now();
  const fail = () => {
    if (timer) errors++;
  };
  http
    .get({ host: '127.0.0.1', port, agent }, (response) => {
      response.resume();
      response.on('error', fail);
      response.on('end', () => times.push(performance.now() - sent));
    })
    .on('error', fail);
}

function finish() {
  clearInterval(timer);
  timer = null;
  agent.destroy();
}

function takeTimes() {
  const sorted = times.sort((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  const answer = { count: sorted.length, errors, p50: at(0.5), p99: at(0.99), max: at(1) };
  times = [];
  errors = 0;
  return answer;
}
