import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type App, ask, says } from '../app.ts';
import { startPackage } from '../start.ts';

export const VERDACCIO = { dependencies: { verdaccio: '5.33.0' }, overrides: { 'node-fetch': '2.6.7' } };

const CONFIG = `storage: ./storage
auth: { htpasswd: { file: ./htpasswd } }
uplinks: {}
packages: { '**': { access: $all, publish: $all } }
web: { title: Reef Registry }
log: { type: stdout, level: warn }
`;
/** In the format of `htpasswd -s`. */
const USER = `ada:{SHA}${createHash('sha1').update('lovelace-42').digest('base64')}\n`;

const FIRST: readonly Released[] = [
  { name: 'weather-core', version: '2.4.1', description: 'Reads barometers', author: 'Grace' },
  { name: 'tide-tables', version: '0.9.3', description: 'High and low water of every port', author: 'Linus' },
];

interface Released {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
}

/** Like npm, with an empty archive. */
export async function publish(url: string, { name, version, description, author }: Released): Promise<void> {
  const tarball = Buffer.from('empty');
  const manifest = {
    name,
    version,
    description,
    author: { name: author },
    license: 'MIT',
    dependencies: name === 'weather-core' ? { 'is-number': '^7.0.0' } : {},
    dist: {
      shasum: createHash('sha1').update(tarball).digest('hex'),
      tarball: `${url}/${name}/-/${name}-${version}.tgz`,
    },
  };
  await ask(`${url}/${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      _id: name,
      name,
      description,
      'dist-tags': { latest: version },
      versions: { [version]: manifest },
      readme: `# ${name}`,
      _attachments: {
        [`${name}-${version}.tgz`]: {
          content_type: 'application/octet-stream',
          data: tarball.toString('base64'),
          length: tarball.length,
        },
      },
    }),
  });
}

export function startVerdaccio(place: { port: number; folder: string; modules: string }) {
  fs.writeFileSync(path.join(place.folder, 'config.yaml'), CONFIG);
  fs.writeFileSync(path.join(place.folder, 'htpasswd'), USER);
  return startPackage(
    'verdaccio/bin/verdaccio',
    ['--config', 'config.yaml', '--listen', `127.0.0.1:${place.port}`],
    place,
  );
}

/** Called repeatedly: existing packages are not published twice. */
export async function hasPackages(url: string): Promise<boolean> {
  const there = await ask<{ name: string }[]>(`${url}/-/verdaccio/data/packages`);
  for (const one of FIRST) if (!there.some(({ name }) => name === one.name)) await publish(url, one);
  return there.length >= FIRST.length;
}

export const HARBOUR_LIGHTS: Released = {
  name: 'harbour-lights',
  version: '3.0.0',
  description: 'Leading marks',
  author: 'Ada',
};

export const verdaccio: App = {
  name: 'verdaccio',
  packages: VERDACCIO,
  start: startVerdaccio,
  fill: hasPackages,
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('weather-core')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Which version of the package "tide-tables" is there?', check: says('0.9.3') },
    {
      kind: 'act',
      words: 'Press "Login". Set the "Username" to "ada". Set the "Password" to "lovelace-42". Press "Login".',
      check: ({ evaluate }) => evaluate(`localStorage.getItem('username') === 'ada'`),
    },
    {
      kind: 'wait',
      words: 'Wait until there is a package "harbour-lights".',
      event: async ({ url, evaluate }) => {
        await publish(url, HARBOUR_LIGHTS);
        await evaluate('location.reload()');
      },
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('harbour-lights')`),
    },
  ],
};
