import { bullBoard } from './bull-board.ts';
import { excalidraw } from './excalidraw.ts';
import { graphiql } from './graphiql.ts';
import { nodeRed } from './node-red.ts';
import { openmct } from './openmct.ts';
import { swaggerUi } from './swagger-ui.ts';
import { tiddlywiki } from './tiddlywiki.ts';
import { verdaccio } from './verdaccio.ts';

export const WEB_APPS = [bullBoard, graphiql, verdaccio, openmct, nodeRed, excalidraw, tiddlywiki, swaggerUi];
