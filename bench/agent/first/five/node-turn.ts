import { randomBytes } from 'node:crypto';
import dgram from 'node:dgram';
import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

/** STUN: a request to allocate a relayed address over UDP. */
function allocateRequest(): Buffer {
  const transport = Buffer.from([0, 0x19, 0, 4, 17, 0, 0, 0]);
  const head = Buffer.alloc(20);
  head.writeUInt16BE(0x0003, 0);
  head.writeUInt16BE(transport.length, 2);
  head.writeUInt32BE(0x2112a442, 4);
  randomBytes(12).copy(head, 8);
  return Buffer.concat([head, transport]);
}

/** A client that has an address and keeps it. */
function allocate(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket('udp4');
    const timer = setTimeout(() => {
      socket.close();
      resolve(false);
    }, 2000);
    socket.once('message', (answer) => {
      clearTimeout(timer);
      socket.unref();
      resolve(answer.readUInt16BE(0) === 0x0103);
    });
    socket.send(allocateRequest(), port, '127.0.0.1');
  });
}

let isFilled = false;

export const nodeTurn: FirstApp = {
  name: 'node-turn',
  kind: 'Node: UDP (TURN)',
  packages: { dependencies: { 'node-turn': '0.0.6' } },
  isHttp: false,
  start(place) {
    isFilled = false;
    const settings = [`listeningPort: ${place.port}`, 'listeningIps: [127.0.0.1]', 'relayIps: [127.0.0.1]'];
    settings.push('minPort: 41000', 'maxPort: 41711', 'realm: harbour.example', 'authMech: none');
    settings.push('maxAllocateLifetime: 4711', 'defaultAllocatetLifetime: 471');
    fs.writeFileSync(path.join(place.folder, 'sample-config.conf'), `${settings.join('\n')}\n`);
    return startPackage('node-turn/start.js', [], place);
  },
  async fill(url) {
    isFilled ||= await allocate(portOf(url));
    return isFilled;
  },
  ready: async () => true,
  facts: [
    { ask: 'realm', value: 'harbour.example' },
    { ask: 'highest port', value: 41_711 },
    { ask: 'longest lifetime in seconds', value: 4711 },
    { ask: 'who has an address', line: 'allocations.*127\\.0\\.0\\.1' },
    { ask: 'how long it may keep it', value: 471, key: 'allocations.*lifetime' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "realm"?', check: says('harbour.example') },
    { kind: 'read', words: 'What is the "max port"?', check: says('41711') },
  ],
};
