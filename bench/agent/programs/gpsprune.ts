import fs from 'node:fs';
import path from 'node:path';
import { type App, says } from '../app.ts';
import { debianFile } from '../install.ts';
import { fileIn, runBeside, startOnScreen, windowTitles } from './on-screen.ts';

const GPX = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="bench" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="53.5432" lon="9.9661"><ele>417</ele><name>Sandpiper quay</name></wpt>
<wpt lat="53.5510" lon="9.9937"><ele>23</ele><name>Petrel rock</name></wpt>
<trk><name>Harbour round</name><trkseg>
<trkpt lat="53.5400" lon="9.9600"><ele>11</ele><time>2026-05-04T08:00:00Z</time></trkpt>
<trkpt lat="53.5410" lon="9.9700"><ele>52</ele><time>2026-05-04T08:05:00Z</time></trkpt>
<trkpt lat="53.5420" lon="9.9800"><ele>318</ele><time>2026-05-04T08:10:00Z</time></trkpt>
<trkpt lat="53.5450" lon="9.9900"><ele>96</ele><time>2026-05-04T08:17:00Z</time></trkpt>
<trkpt lat="53.5480" lon="9.9950"><ele>14</ele><time>2026-05-04T08:30:00Z</time></trkpt>
</trkseg></trk></gpx>
`;

/** The position of the second waypoint in its list. */
const SECOND_WAYPOINT = ['mousemove', '45', '190', 'click', '1'];

function libraryFolder(): string {
  const folder = debianFile('gpsprune', 'usr/lib');
  return path.join(folder, fs.readdirSync(folder).find((name) => name.includes('linux')) ?? '');
}

/** A person with a mouse. */
const mouse = (url: string, args: readonly string[]) =>
  runBeside(url, debianFile('gpsprune', 'usr/bin/xdotool'), args, { LD_LIBRARY_PATH: libraryFolder() });

export const gpsprune: App = {
  name: 'gpsprune',
  debian: ['gpsprune', 'xdotool', 'libxdo3'],
  isHttp: false,
  start({ folder }) {
    fs.writeFileSync(path.join(folder, 'harbour.gpx'), GPX);
    const jar = debianFile('gpsprune', 'usr/share/gpsprune/gpsprune.jar');
    return startOnScreen('java', [`-Duser.home=${folder}`, '-jar', jar, 'harbour.gpx'], folder);
  },
  fill: async (url) => (await windowTitles(url)).includes('GpsPrune'),
  // It reads its file after it has opened its window, and then requests maps.
  ready: async ({ url }) => fs.readFileSync(fileIn(url, 'output.log'), 'utf8').includes('tile.openstreetmap'),
  tasks: [
    { kind: 'read', words: 'What is the altitude of the waypoint "Sandpiper quay"?', check: says('417') },
    {
      kind: 'act',
      words: 'Press "Export GPX". Press "OK". Set the "File Name" to "kept.gpx". Press "Save".',
      check: async ({ url }) => fs.readFileSync(fileIn(url, 'kept.gpx'), 'utf8').includes('Petrel rock'),
    },
    {
      kind: 'wait',
      words: 'Wait until the index of the point is "2 of 7".',
      event: ({ url }) => mouse(url, SECOND_WAYPOINT),
      check: () => true,
    },
  ],
};
