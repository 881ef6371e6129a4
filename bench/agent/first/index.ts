import type { FirstApp } from './first-app.ts';
import { biogenesis } from './five/biogenesis.ts';
import { gendarme } from './five/gendarme.ts';
import { hubot } from './five/hubot.ts';
import { jgit } from './five/jgit.ts';
import { karma } from './five/karma.ts';
import { mocksServer } from './five/mocks-server.ts';
import { nodeTurn } from './five/node-turn.ts';
import { openmcdf } from './five/openmcdf.ts';
import { pcalendar } from './five/pcalendar.ts';
import { prismCli } from './five/prism-cli.ts';
import { revealMd } from './five/reveal-md.ts';
import { zemberekServer } from './five/zemberek-server.ts';
import { derby } from './four/derby.ts';
import { dyson } from './four/dyson.ts';
import { jsonGraphqlServer } from './four/json-graphql-server.ts';
import { liveServer } from './four/live-server.ts';
import { signalhub } from './four/signalhub.ts';
import { basex } from './one/basex.ts';
import { bittorrentTracker } from './one/bittorrent-tracker.ts';
import { csharpShell } from './one/csharp-shell.ts';
import { davmail } from './one/davmail.ts';
import { ftpSrv } from './one/ftp-srv.ts';
import { imagej } from './one/imagej.ts';
import { maildev } from './one/maildev.ts';

import { nailgun } from './one/nailgun.ts';
import { nunitGui } from './one/nunit-gui.ts';
import { s3rver } from './one/s3rver.ts';
import { turborepoRemoteCache } from './one/turborepo-remote-cache.ts';
import { webrtcStar } from './one/webrtc-star.ts';
import { beanshell } from './three/beanshell.ts';
import { browserSync } from './three/browser-sync.ts';
import { hexbox } from './three/hexbox.ts';
import { jsamp } from './three/jsamp.ts';
import { mckoi } from './three/mckoi.ts';
import { nodeMediaServer } from './three/node-media-server.ts';
import { nrefactoryDemo } from './three/nrefactory-demo.ts';
import { oauth2MockServer } from './three/oauth2-mock-server.ts';
import { stubby } from './three/stubby.ts';
import { varna } from './three/varna.ts';
import { webDevServer } from './three/web-dev-server.ts';
import { yWebsocket } from './three/y-websocket.ts';
import { dynalite } from './two/dynalite.ts';
import { figtree } from './two/figtree.ts';
import { foxWamp } from './two/fox-wamp.ts';
import { jgroups } from './two/jgroups.ts';
import { jmol } from './two/jmol.ts';
import { ldapServerMock } from './two/ldap-server-mock.ts';
import { localWebServer } from './two/local-web-server.ts';
import { monoFastcgi } from './two/mono-fastcgi.ts';
import { mountebank } from './two/mountebank.ts';
import { peer } from './two/peer.ts';
import { sdb } from './two/sdb.ts';
import { weka } from './two/weka.ts';

const NODE_ONE = [maildev, s3rver, bittorrentTracker, turborepoRemoteCache, webrtcStar, ftpSrv];
const JAVA_ONE = [basex, davmail, nailgun, imagej];
const MONO_ONE = [csharpShell, nunitGui];

const NODE_TWO = [mountebank, peer, dynalite, ldapServerMock, foxWamp, localWebServer];
const JAVA_TWO = [jgroups, weka, jmol, figtree];
const MONO_TWO = [sdb, monoFastcgi];

const NODE_THREE = [stubby, webDevServer, oauth2MockServer, yWebsocket, browserSync, nodeMediaServer];
const JAVA_THREE = [mckoi, jsamp, beanshell, varna];
const MONO_THREE = [hexbox, nrefactoryDemo];

const NODE_FOUR = [signalhub, dyson, liveServer, jsonGraphqlServer];
const JAVA_FOUR = [derby];

const NODE_FIVE = [karma, prismCli, mocksServer, nodeTurn, revealMd, hubot];
const JAVA_FIVE = [jgit, zemberekServer, biogenesis, pcalendar];
const MONO_FIVE = [openmcdf, gendarme];

export const FIRST_PROGRAMS: Readonly<Record<string, readonly FirstApp[]>> = {
  one: [...NODE_ONE, ...JAVA_ONE, ...MONO_ONE],
  two: [...NODE_TWO, ...JAVA_TWO, ...MONO_TWO],
  three: [...NODE_THREE, ...JAVA_THREE, ...MONO_THREE],
  four: [...NODE_FOUR, ...JAVA_FOUR],
  five: [...NODE_FIVE, ...JAVA_FIVE, ...MONO_FIVE],
};
