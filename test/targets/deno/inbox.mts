// A Deno program without any permission: module variables, a class with a private field, a timer that keeps it alive.
import { outbox } from './outbox.mts';

let unread = 2;

class Inbox {
  #seen = 0;
  emails = [
    { subject: 'Hello', from: 'ann@example.org', read: false },
    { subject: 'Invoice', from: 'bob@example.org', read: false },
  ];
  markRead(index: number): void {
    const email = this.emails[index];
    if (!email.read) unread--;
    email.read = true;
    this.#seen++;
  }
  countSeen(): number {
    return this.#seen;
  }
  async archive(index: number): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.emails.splice(index, 1);
    return this.emails.length;
  }
}

const inbox = new Inbox();
const counter = makeCounter(5);

function makeCounter(start: number) {
  let count = start;
  return { increment: () => ++count };
}

const timer = setInterval(() => {
  if (outbox.queue.length > 1000) inbox.markRead(counter.increment());
}, 60_000);

if (Deno.args[0] !== undefined) setTimeout(() => clearInterval(timer), Number(Deno.args[0]));
console.log('ready');
