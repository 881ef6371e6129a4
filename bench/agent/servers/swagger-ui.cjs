// The boats of a harbour behind Swagger UI. GET /boats is the truth. window.ui is Swagger UI's own object.
const { json, serve } = require('./static.cjs');

const boats = new Map([
  [3, { id: 3, name: 'Petrel', berth: 'north-2' }],
  [7, { id: 7, name: 'Sandpiper', berth: 'south-9' }],
]);
const id = { name: 'id', in: 'path', required: true, description: 'Number of the boat', schema: { type: 'integer' } };
const responses = { 200: { description: 'All is well' }, 404: { description: 'No boat of that number lies here' } };
const SPEC = {
  openapi: '3.0.3',
  info: {
    title: 'Harbour',
    version: '1.4.2',
    description: 'Who lies at which berth.',
    contact: { email: 'master@harbour.example' },
  },
  servers: [{ url: '/' }],
  tags: [{ name: 'boats', description: 'All that floats' }],
  paths: {
    '/boats': {
      get: { tags: ['boats'], summary: 'List all boats', operationId: 'listBoats', responses: { 200: responses[200] } },
    },
    '/boats/{id}': {
      get: {
        tags: ['boats'],
        summary: 'Show one boat',
        operationId: 'showBoat',
        description: 'Answers within nine milliseconds.',
        parameters: [id],
        responses,
      },
      delete: { tags: ['boats'], summary: 'Cast off a boat', operationId: 'castOff', parameters: [id], responses },
    },
  },
  components: {
    schemas: {
      Boat: {
        type: 'object',
        properties: { id: { type: 'integer' }, name: { type: 'string' }, berth: { type: 'string' } },
      },
    },
  },
};

serve({
  lib: 'swagger-ui-dist',
  html: `<!doctype html><title>Swagger UI</title><link rel="stylesheet" href="/lib/swagger-ui.css"><div id="app"></div>
<script src="/lib/swagger-ui-bundle.js"></script>
<script>window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#app' })</script>`,
  async answer({ request, response, pathname }) {
    if (pathname === '/openapi.json') return json(response, SPEC);
    if (pathname === '/boats') return json(response, [...boats.values()]);
    const [, number] = /^\/boats\/(\d+)$/.exec(pathname) ?? [];
    if (number === undefined) return false;
    const boat = boats.get(Number(number));
    if (boat === undefined) return json(response, { error: 'no such boat' }, 404);
    if (request.method === 'DELETE') boats.delete(boat.id);
    return json(response, boat);
  },
});
