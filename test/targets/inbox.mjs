// ES modules: nothing is reachable from require or globals; a timer is all that keeps it alive.
import { outbox } from './inbox-outbox.mjs';

let unread = 2;
const emails = [
  { subject: 'Hello', from: 'ann@example.org', read: false },
  { subject: 'Invoice', from: 'bob@example.org', read: false },
];

class Inbox {
  constructor(list) {
    this.emails = list;
    this.selected = null;
  }
  markRead(index) {
    const email = this.emails[index];
    if (!email.read) unread--;
    email.read = true;
  }
  select(index) {
    this.selected = this.emails[index];
  }
}

const inbox = new Inbox(emails);

setInterval(() => {
  if (outbox.queue.length > 1000) inbox.markRead(0);
}, 60_000);
console.log('ready');
