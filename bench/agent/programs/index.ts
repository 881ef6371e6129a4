import { gpsprune } from './gpsprune.ts';
import { hsqldb } from './hsqldb.ts';
import { jsonServer } from './json-server.ts';
import { keepass } from './keepass.ts';
import { nodeRedProgram } from './node-red.ts';
import { tomcat } from './tomcat.ts';
import { verdaccioProgram } from './verdaccio.ts';
import { zookeeper } from './zookeeper.ts';

export const PROGRAMS = [jsonServer, nodeRedProgram, verdaccioProgram, hsqldb, zookeeper, tomcat, gpsprune, keepass];
