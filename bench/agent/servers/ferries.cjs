// The ferries of a port and their description, for tools that show descriptions. GET /ferries is the truth; POST /notice
// puts a notice into the description, as somebody who edits the file does.
const { json, serve } = require('./static.cjs');

const ferries = new Map([
  [4, { id: 4, name: 'Skua', pier: 'east-3', lorries: 14 }],
  [9, { id: 9, name: 'Gannet', pier: 'west-1', lorries: 27 }],
]);
const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Number of the ferry',
  schema: { type: 'integer', example: 4 },
  example: 4,
};
const all = { description: 'All is well', content: { 'application/json': { schema: { type: 'object' } } } };
const responses = { 200: all, 404: { description: 'No ferry of that number sails here' } };
let notice = 'Sails every day but Sunday.';

const description = (host) => ({
  openapi: '3.0.3',
  info: {
    title: 'Ferries',
    version: '2.7.5',
    description: notice,
    contact: { name: 'Pier office', email: 'pier@ferries.example' },
    license: { name: 'Harbour Licence 3' },
  },
  servers: [{ url: `http://${host}`, description: 'the port itself' }],
  tags: [{ name: 'ferries', description: 'All that carries lorries' }],
  paths: {
    '/ferries': {
      get: { tags: ['ferries'], summary: 'List all ferries', operationId: 'listFerries', responses: { 200: all } },
    },
    '/ferries/{id}': {
      get: {
        tags: ['ferries'],
        summary: 'Show one ferry',
        operationId: 'showFerry',
        description: 'Answers within eleven milliseconds.',
        parameters: [id],
        responses,
      },
      delete: {
        tags: ['ferries'],
        summary: 'Scrap a ferry',
        operationId: 'scrapFerry',
        description: 'Needs the consent of the harbour master.',
        parameters: [id],
        responses,
      },
    },
  },
});

exports.serveFerries = ({ lib, html }) =>
  serve({
    lib,
    html,
    async answer({ request, response, pathname, body }) {
      if (pathname === '/openapi.json') return json(response, description(request.headers.host));
      if (pathname === '/notice') {
        notice = body;
        return json(response, { notice });
      }
      if (pathname === '/ferries') return json(response, [...ferries.values()]);
      const [, number] = /^\/ferries\/(\d+)$/.exec(pathname) ?? [];
      if (number === undefined) return false;
      const ferry = ferries.get(Number(number));
      if (ferry === undefined) return json(response, { error: 'no such ferry' }, 404);
      if (request.method === 'DELETE') ferries.delete(ferry.id);
      return json(response, ferry);
    },
  });
