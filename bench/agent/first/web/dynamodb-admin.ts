import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

const TABLE = {
  TableName: 'pilots',
  HashAttributeName: 'name',
  HashAttributeType: 'S',
  ReadCapacityUnits: 3,
  WriteCapacityUnits: 3,
};

async function hasTable(url: string, name: string): Promise<boolean> {
  return (await (await fetch(url)).text()).includes(`data-table-name="${name}"`);
}

/** Rendered by the server, with jQuery. */
export const dynamodbAdmin: App = {
  name: 'dynamodb-admin',
  packages: { dependencies: { 'dynamodb-admin': '5.3.3', dynalite: '4.0.0' } },
  start: (place) => startServer('dynamodb-admin', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('tolls')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Open "ferries". Where is "Gannet" at?', check: says('west-1') },
    {
      kind: 'act',
      words:
        'Open "Create table". Set the "Table Name" to "pilots". Set the "Hash Attribute Name" to "name". Press "Submit".',
      check: ({ url }) => hasTable(url, 'pilots'),
    },
    {
      kind: 'wait',
      words: 'Wait until there is a table "pilots".',
      event: async ({ url, evaluate }) => {
        await fetch(`${url}/create-table`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ TableDefinition: TABLE, SecondaryIndexes: [] }),
        });
        await evaluate('location.reload()');
      },
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('pilots')`),
    },
  ],
};
