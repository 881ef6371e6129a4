import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const BUCKET = 'ferry-papers';

export const s3rver: FirstApp = {
  name: 's3rver',
  kind: 'Node: Koa',
  packages: { dependencies: { s3rver: '3.7.1' } },
  start(place) {
    const args = ['-d', 'harbour-data', '-a', '127.0.0.1', '-p', String(place.port)];
    args.push(
      '--configure-bucket',
      BUCKET,
      '--service-endpoint',
      'harbour-store.test',
      '--allow-mismatched-signatures',
    );
    return startPackage('s3rver/bin/s3rver.js', args, place);
  },
  fill: async (url) => (await fetch(`${url}/${BUCKET}/licence.txt`, { method: 'PUT', body: 'Sandpiper' })).ok,
  ready: async ({ url }) => (await (await fetch(`${url}/${BUCKET}/licence.txt`)).text()) === 'Sandpiper',
  facts: [
    { ask: 'folder of the data', match: 'harbour-data$' },
    { ask: 'bucket', value: BUCKET },
    { ask: 'service endpoint', value: 'harbour-store.test' },
    { ask: 'whether any signature will do', value: true, key: 'mismatched' },
    { ask: 'name of the account', value: 'S3rver', key: 'account|display' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "service endpoint"?', check: says('harbour-store.test') },
    {
      kind: 'act',
      words: 'Press "reset" of the store.',
      check: async ({ url }) => (await fetch(`${url}/${BUCKET}/licence.txt`)).status === 404,
    },
  ],
};
