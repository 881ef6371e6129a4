import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const INFO_HASH = 'ferry-timetable-2026';
const hex = (text: string) => Buffer.from(text).toString('hex');

async function announce(url: string, peerId: string, port: number, left: number): Promise<boolean> {
  const counts = `port=${port}&uploaded=0&downloaded=0&left=${left}&event=started`;
  const answer = await fetch(`${url}/announce?info_hash=${INFO_HASH}&peer_id=${peerId}&${counts}`);
  return (await answer.text()).includes('intervali');
}

export const bittorrentTracker: FirstApp = {
  name: 'bittorrent-tracker',
  kind: 'Node: plain http',
  packages: { dependencies: { 'bittorrent-tracker': '9.19.0' } },
  start(place) {
    const args = ['--port', String(place.port), '--http', '--http-hostname', '127.0.0.1', '--interval', '423000'];
    return startPackage('bittorrent-tracker/bin/cmd.js', args, place);
  },
  fill: async (url) =>
    (await announce(url, '-WT0001-sandpiper001', 51_413, 0)) && announce(url, '-TR2940-petrel-00009', 50_871, 700),
  ready: async () => true,
  facts: [
    { ask: 'torrent', line: hex(INFO_HASH) },
    { ask: 'a peer', line: `${hex('-WT0001-sandpiper001')}|-WT0001-sandpiper001` },
    { ask: 'port of another peer', line: '\\b50871\\b' },
    { ask: 'interval between announcements', value: 423_000, key: 'interval' },
    { ask: 'how many have all of it', value: 1, key: '\\bcomplete' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "interval" of the tracker?', check: says('423000') },
    {
      kind: 'wait',
      words: 'Wait until there is a peer with the port "51999".',
      event: ({ url }) => announce(url, '-WT0001-kittiwake003', 51_999, 12),
      check: async ({ url }) => (await (await fetch(`${url}/stats.json`)).text()).includes('"peersAll":3'),
    },
  ],
};
