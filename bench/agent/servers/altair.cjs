// Altair, an Angular app, on a small schema. GET /truth counts the queries that ask for ferries.
const path = require('node:path');
const modules = path.resolve('node_modules');
const { renderAltair } = require(path.join(modules, 'altair-static'));
const { buildSchema, graphql } = require(path.join(modules, 'graphql'));
const { json, serve } = require('./static.cjs');

const schema = buildSchema(`
  "How a ferry takes its lorries"
  enum Ramp { BOW STERN }
  type Ferry { name: String! pier: String! lorries: Int! ramp: Ramp! }
  type Query { ferries: [Ferry!]! harbourMaster: String! }
  type Mutation { dismissHarbourMaster: Boolean! }
`);
let runs = 0;
let master = 'Ingrid Halvorsen';
const rootValue = {
  ferries() {
    runs++;
    return [
      { name: 'Skua', pier: 'east-3', lorries: 14, ramp: 'BOW' },
      { name: 'Gannet', pier: 'west-1', lorries: 27, ramp: 'STERN' },
    ];
  },
  harbourMaster: () => master,
  dismissHarbourMaster() {
    master = 'nobody';
    return true;
  },
};

serve({
  lib: 'altair-static/build/dist',
  html: renderAltair({
    baseURL: '/lib/',
    endpointURL: '/graphql',
    initialQuery: '{ ferries { name pier } harbourMaster }',
    disableAccount: true,
  }),
  async answer({ response, pathname, body }) {
    if (pathname === '/truth') return json(response, { runs, master });
    if (pathname !== '/graphql') return false;
    const { query, variables } = JSON.parse(body || '{}');
    return json(
      response,
      await graphql({ schema, source: query ?? '{ __typename }', rootValue, variableValues: variables }),
    );
  },
});
