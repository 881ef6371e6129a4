import { freePort } from '../../../../test/support/chromium.ts';
import { type App, ask, says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { Conversation } from '../clients.ts';

let smtpPort = 0;

async function send(from: string, subject: string, html: string): Promise<void> {
  const smtp = await Conversation.open(smtpPort);
  await smtp.hear(/^220 /);
  await smtp.say('EHLO bench.example\r\n', /^250 /m);
  await smtp.say(`MAIL FROM:<${from}>\r\n`, /^250 /);
  await smtp.say('RCPT TO:<ada@quay.example>\r\n', /^250 /);
  await smtp.say('DATA\r\n', /^354 /);
  const head = `From: ${from}\r\nTo: ada@quay.example\r\nSubject: ${subject}\r\nContent-Type: text/html\r\n`;
  await smtp.say(`${head}\r\n<p>${html}</p>\r\n.\r\n`, /^250 /);
  smtp.close();
}

const mails = (url: string) => ask<{ subject: string }[]>(`${url}/email`);

/** AngularJS; a mail is shown in a frame. */
export const maildevWeb: App = {
  name: 'maildev-web',
  packages: { dependencies: { maildev: '2.2.1' } },
  async start(place) {
    smtpPort = await freePort();
    const ports = ['--smtp', String(smtpPort), '--web', String(place.port), '--ip', '127.0.0.1'];
    return startPackage('maildev/bin/maildev', [...ports, '--mail-directory', `${place.folder}/mails`], place);
  },
  async fill(url) {
    if ((await mails(url)).length === 0) {
      await send('grace@tides.example', 'Berth for the Gannet', 'Please moor at west-1 before dusk.');
      await send('office@ferries.example', 'Petrel is late', 'By forty minutes, it seems.');
    }
    return (await mails(url)).length === 2;
  },
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('Berth for the Gannet')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Open "Berth for the Gannet". Where is it to moor?', check: says('west-1') },
    {
      kind: 'act',
      words: 'Open "Petrel is late". Press "Delete".',
      check: async ({ url }) => (await mails(url)).every(({ subject }) => subject !== 'Petrel is late'),
    },
    {
      kind: 'wait',
      words: 'Wait until there is a mail "Storm warning".',
      event: () => send('coast@guard.example', 'Storm warning', 'Stay in port.'),
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('Storm warning')`),
    },
  ],
};
