import { freePort } from '../../../../test/support/chromium.ts';
import { ask, says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { Conversation } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

let smtpPort = 0;

async function send(from: string, to: string, subject: string, text: string): Promise<void> {
  const smtp = await Conversation.open(smtpPort);
  await smtp.hear(/^220 /);
  await smtp.say('EHLO bench.example\r\n', /^250 /m);
  await smtp.say(`MAIL FROM:<${from}>\r\n`, /^250 /);
  await smtp.say(`RCPT TO:<${to}>\r\n`, /^250 /);
  await smtp.say('DATA\r\n', /^354 /);
  await smtp.say(`From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n.\r\n`, /^250 /);
  smtp.close();
}

const mails = (url: string) => ask<unknown[]>(`${url}/email`);

export const maildev: FirstApp = {
  name: 'maildev',
  kind: 'Node: Express, socket.io, SMTP',
  packages: { dependencies: { maildev: '2.1.0' } },
  async start(place) {
    smtpPort = await freePort();
    const ports = ['--smtp', String(smtpPort), '--web', String(place.port), '--ip', '127.0.0.1'];
    return startPackage('maildev/bin/maildev', [...ports, '--mail-directory', `${place.folder}/mails`], place);
  },
  async fill(url) {
    if ((await mails(url)).length === 0) {
      await send('grace@tides.example', 'ada@quay.example', 'Berth changed to north-2', 'Please moor at dusk.');
      await send('office@ferries.example', 'otto@pilots.example', 'Petrel is late', 'By forty minutes, it seems.');
    }
    return (await mails(url)).length === 2;
  },
  ready: async () => true,
  facts: [
    { ask: 'subject of a mail', value: 'Berth changed to north-2' },
    { ask: 'its sender', value: 'grace@tides.example' },
    { ask: 'its text', value: 'Please moor at dusk' },
    { ask: 'recipient of another', value: 'otto@pilots.example' },
    { ask: 'folder of the mails', match: '/mails/?$' },
  ],
  tasks: [
    { kind: 'read', words: 'Who is the sender of the mail "Petrel is late"?', check: says('office@ferries.example') },
    {
      kind: 'act',
      words: 'Press "delete all email".',
      check: async ({ url }) => (await mails(url)).length === 0,
    },
  ],
};
