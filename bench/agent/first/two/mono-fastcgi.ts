import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import { Conversation, portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const PAGE = `<%@ Page Language="C#" %>
<% Application["ferry"] = Request.QueryString["ferry"]; Session["fruit"] = "mango-7"; Cache["light"] = "nine-seconds";
   Application["visits"] = 4 + (int)(Application["visits"] ?? 413); Response.Write("now " + Application["ferry"]); %>
`;
const assembly = (name: string, token: string) =>
  `<add assembly="${name}, Version=4.0.0.0, Culture=neutral, PublicKeyToken=${token}"/>`;
/** Only unpacked assemblies: without this it looks for all of Mono. */
const CONFIG = `<configuration><system.web><compilation><assemblies><clear/>
${['System', 'System.Core', 'System.Xml'].map((name) => assembly(name, 'b77a5c561934e089')).join('\n')}
${['System.Web', 'System.Configuration'].map((name) => assembly(name, 'b03f5f7f11d50a3a')).join('\n')}
${assembly('System.Web.ApplicationServices', '31bf3856ad364e35')}
</assemblies></compilation></system.web></configuration>
`;

const folderOf = () => debianFile('mono-fastcgi', 'usr/lib/mono/4.5');
let site = '';

/** A record of FastCGI: 1 begins a request, 4 has its parameters, 5 its body. */
function record(type: number, body: Buffer): Buffer {
  const head = Buffer.from([1, type, 0, 1, 0, 0, 0, 0]);
  head.writeUInt16BE(body.length, 4);
  return Buffer.concat([head, body]);
}

function parameter(name: string, value: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length + 2 ** 31);
  return Buffer.concat([Buffer.from([name.length]), length, Buffer.from(name + value)]);
}

/** Opens the page. */
async function visit(url: string, ferry: string): Promise<string> {
  const parameters = {
    REQUEST_METHOD: 'GET',
    SCRIPT_NAME: '/index.aspx',
    SCRIPT_FILENAME: `${site}/index.aspx`,
    REQUEST_URI: `/index.aspx?ferry=${ferry}`,
    QUERY_STRING: `ferry=${ferry}`,
    DOCUMENT_ROOT: site,
    PATH_INFO: '',
    SERVER_PROTOCOL: 'HTTP/1.1',
    SERVER_NAME: 'localhost',
    SERVER_PORT: '80',
    SERVER_SOFTWARE: 'bench',
    HTTP_HOST: 'localhost',
    REMOTE_ADDR: '127.0.0.1',
  };
  const pairs = Object.entries(parameters).map(([name, value]) => parameter(name, value));
  const request = [record(1, Buffer.from([0, 1, 0, 0, 0, 0, 0, 0])), record(4, Buffer.concat(pairs))];
  const client = await Conversation.open(portOf(url));
  const text = Buffer.concat([...request, record(4, Buffer.alloc(0)), record(5, Buffer.alloc(0))]);
  return client.say(text, new RegExp(`now ${ferry}`)).finally(() => client.close());
}

let isFilled = false;

export const monoFastcgi: FirstApp = {
  name: 'mono-fastcgi',
  kind: 'Mono: ASP.NET server',
  debian: [
    'mono-fastcgi-server4',
    'mono-xsp4-base',
    'libmono-system-web4.0-cil',
    'libmono-system-web-applicationservices4.0-cil',
    'libmono-system-web-services4.0-cil',
    'libmono-system-componentmodel-dataannotations4.0-cil',
    'libmono-system-design4.0-cil',
    'libmono-system-ldap4.0-cil',
    'libmono-ldap4.0-cil',
    'libmono-sqlite4.0-cil',
  ],
  isHttp: false,
  start({ port, folder }) {
    isFilled = false;
    site = path.join(folder, 'harbour-site');
    fs.mkdirSync(site);
    fs.writeFileSync(path.join(site, 'index.aspx'), PAGE);
    fs.writeFileSync(path.join(site, 'web.config'), CONFIG);
    const args = [path.join(folderOf(), 'fastcgi-mono-server4.exe'), `/socket=tcp:127.0.0.1:${port}`];
    const env = { MONO_PATH: folderOf(), TMPDIR: folder };
    return startCommand('mono', [...args, `/applications=/:${site}`], { port, folder, env });
  },
  async fill(url) {
    if (!isFilled) await visit(url, 'Sandpiper-of-the-north');
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'value of the application', value: 'Sandpiper-of-the-north' },
    { ask: 'value of the session', value: 'mango-7' },
    { ask: 'value in the cache', value: 'nine-seconds' },
    { ask: 'visits', value: 417 },
    { ask: 'folder of the site', match: 'harbour-site/?$' },
  ],
  tasks: [
    { kind: 'read', words: 'What is "fruit" of the session?', check: says('mango-7') },
    {
      kind: 'wait',
      words: 'Wait until the ferry is "Kittiwake-of-the-south".',
      event: ({ url }) => visit(url, 'Kittiwake-of-the-south'),
      check: () => true,
    },
  ],
};
