// Queues without Redis: as much of an adapter as Bull Board asks for. GET /truth has the jobs, POST /finish/<id> ends one.
const fromHere = require('node:module').createRequire(`${process.cwd()}/`);
const { createBullBoard } = fromHere('@bull-board/api');
const { BaseAdapter } = fromHere('@bull-board/api/dist/src/queueAdapters/base.js');
const { ExpressAdapter } = fromHere('@bull-board/express');
const express = fromHere('express');

const STATUSES = ['active', 'waiting', 'waiting-children', 'prioritized', 'completed', 'failed', 'delayed', 'paused'];
const BEGAN = 1700000000000;

class Job {
  constructor(queue, id, state, data, more = {}) {
    Object.assign(
      this,
      {
        queue,
        id,
        state,
        data,
        opts: { attempts: 3 },
        attemptsMade: 1,
        failedReason: '',
        stacktrace: [],
        returnvalue: null,
      },
      more,
    );
  }
  toJSON() {
    const { id, data, attemptsMade, failedReason, stacktrace, returnvalue, opts } = this;
    return {
      id,
      name: id,
      data,
      attemptsMade,
      failedReason,
      stacktrace,
      returnvalue,
      opts,
      progress: 0,
      timestamp: BEGAN,
      processedOn: BEGAN + 5000,
      finishedOn: BEGAN + 9000,
    };
  }
  async getState() {
    return this.state;
  }
  async retry() {
    this.state = 'waiting';
    this.failedReason = '';
  }
  async promote() {
    this.state = 'waiting';
  }
  async remove() {
    this.queue.jobs = this.queue.jobs.filter((job) => job !== this);
  }
}

class Queue extends BaseAdapter {
  jobs = [];
  constructor(name) {
    super('bullmq', { allowRetries: true });
    this.name = name;
  }
  add(...rest) {
    this.jobs.push(new Job(this, ...rest));
  }
  getName() {
    return this.name;
  }
  getStatuses() {
    return ['latest', ...STATUSES];
  }
  getJobStatuses() {
    return STATUSES;
  }
  async getJobs(statuses, from = 0, to = 99) {
    return this.jobs.filter(({ state }) => statuses.includes(state)).slice(from, to + 1);
  }
  async getJob(id) {
    return this.jobs.find((job) => job.id === id);
  }
  async getJobCounts() {
    return Object.fromEntries(
      STATUSES.map((status) => [status, this.jobs.filter(({ state }) => state === status).length]),
    );
  }
  async getJobLogs() {
    return [];
  }
  async getRedisInfo() {
    return 'redis_version:7.0.0\r\nredis_mode:standalone\r\nused_memory:1000000\r\ntotal_system_memory:9000000\r\n';
  }
  async isPaused() {
    return this.isStopped === true;
  }
  async pause() {
    this.isStopped = true;
  }
  async resume() {
    this.isStopped = false;
  }
  async clean(status) {
    this.jobs = this.jobs.filter(({ state }) => state !== status);
  }
  async empty() {
    this.jobs = [];
  }
  async promoteAll() {}
  async addJob() {
    throw new Error('not here');
  }
}

const emails = new Queue('emails');
emails.add(
  'invoice-17',
  'failed',
  { to: 'ada@example.org', amount: 129 },
  {
    attemptsMade: 3,
    failedReason: 'SMTP 451 mailbox busy',
    stacktrace: ['Error: SMTP 451 mailbox busy\n    at send (mail.js:41:9)'],
  },
);
emails.add(
  'invoice-18',
  'failed',
  { to: 'nobody@example.org', amount: 64 },
  {
    attemptsMade: 2,
    failedReason: 'SMTP 550 no such user',
    stacktrace: ['Error: SMTP 550 no such user\n    at send (mail.js:41:9)'],
  },
);
for (let at = 1; at <= 6; at++)
  emails.add(`welcome-${at}`, 'completed', { to: `reader${at}@example.org` }, { returnvalue: `sent ${at}` });
emails.add('newsletter-9', 'active', { to: 'everybody@example.org' });
const reports = new Queue('reports');
reports.add('quarter-3', 'delayed', { pages: 48 });

const adapter = new ExpressAdapter();
createBullBoard({ queues: [emails, reports], serverAdapter: adapter });
const app = express();
app.get('/truth', (_, response) =>
  response.json(emails.jobs.map(({ id, state, returnvalue }) => ({ id, state, returnvalue }))),
);
app.post('/finish/:id', async ({ params }, response) => {
  Object.assign(await emails.getJob(params.id), { state: 'completed', returnvalue: 'delivered to 812 readers' });
  response.json({});
});
app.use('/', adapter.getRouter());
app.listen(Number(process.argv[2]), '127.0.0.1');
