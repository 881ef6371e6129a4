import fs from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../../test/support/chromium.ts';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import { answers, portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const LIBRARIES =
  'commons-codec commons-logging htmlcleaner httpclient httpcore jackrabbit-webdav jackrabbit-jcr-commons jcifs jettison jna log4j-1.2 javax.mail slf4j-api slf4j-log4j12 stax2-api woodstox-core jdom2';
const file = (name: string) => debianFile('davmail', name);

/** Without this native library it ends shortly after it has begun to listen. */
function jniFolder(): string {
  const [triplet = ''] = fs.readdirSync(file('usr/lib')).filter((name) => name.includes('linux'));
  return file(`usr/lib/${triplet}/jni`);
}

export const davmail: FirstApp = {
  name: 'davmail',
  kind: 'Java: mail gateway',
  debian: [
    'davmail-server',
    'libcommons-codec-java',
    'libcommons-logging-java',
    'libhtmlcleaner-java',
    'libhttpclient-java',
    'libhttpcore-java',
    'libjackrabbit-java',
    'libjcifs-java',
    'libjettison-java',
    'libjna-java',
    'libjna-jni',
    'liblog4j1.2-java',
    'libmail-java',
    'libslf4j-java',
    'libstax2-api-java',
    'libwoodstox-java',
    'libjdom2-java',
  ],
  isHttp: false,
  async start({ port, folder }) {
    const settings = {
      server: true,
      mode: 'EWS',
      url: 'https://owa.harbour.example/EWS/Exchange.asmx',
      imapPort: port,
      smtpPort: await freePort(),
      popPort: '',
      ldapPort: '',
      caldavPort: '',
      bindAddress: '127.0.0.1',
      disableUpdateCheck: true,
      defaultDomain: 'TIDES',
      keepDelay: 47,
      sentKeepDelay: 91,
      logFilePath: path.join(folder, 'davmail.log'),
    };
    const lines = Object.entries(settings).map(([name, value]) => `davmail.${name}=${value}`);
    fs.writeFileSync(path.join(folder, 'davmail.properties'), `${lines.join('\n')}\n`);
    const jars = LIBRARIES.split(' ').map((name) => file(`usr/share/java/${name}.jar`));
    const classes = [file('usr/share/davmail/davmail.jar'), ...jars].join(':');
    const places = [`-Duser.home=${folder}`, '-Djna.nosys=false', `-Djava.library.path=${jniFolder()}`];
    const main = ['-cp', classes, 'davmail.DavGateway', '-server', 'davmail.properties'];
    return startCommand('java', [...places, ...main], { port, folder });
  },
  fill: (url) => answers(portOf(url)),
  ready: async () => true,
  facts: [
    { ask: 'Exchange server', value: 'owa.harbour.example' },
    { ask: 'default domain', value: 'TIDES' },
    { ask: 'days that messages are kept', value: 47, key: 'keep' },
    { ask: 'days that sent messages are kept', value: 91, key: 'keep' },
    { ask: 'mode', value: 'EWS', key: 'mode' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "default domain"?', check: says('TIDES') },
    {
      kind: 'act',
      words: 'Press "stop" of the gateway.',
      check: async ({ url }) => !(await answers(portOf(url))),
    },
  ],
};
