import { ask, says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const HEADERS = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260504T080000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=bench/20260504/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

const dynamo = <Body>(url: string, operation: string, body: object) =>
  ask<Body>(url, {
    method: 'POST',
    headers: { ...HEADERS, 'x-amz-target': `DynamoDB_20120810.${operation}` },
    body: JSON.stringify(body),
  });
const put = (url: string, name: string, berth: string) =>
  dynamo(url, 'PutItem', { TableName: 'Ferries', Item: { name: { S: name }, berth: { S: berth } } });
const count = async (url: string) => (await dynamo<{ Count: number }>(url, 'Scan', { TableName: 'Ferries' })).Count;

export const dynalite: FirstApp = {
  name: 'dynalite',
  kind: 'Node: plain http, LevelDB',
  packages: { dependencies: { dynalite: '4.0.0' } },
  start(place) {
    const args = ['--port', String(place.port), '--host', '127.0.0.1', '--createTableMs', '317'];
    return startPackage('dynalite/cli.js', [...args, '--maxItemSizeKb', '123'], place);
  },
  async fill(url) {
    const { TableNames } = await dynamo<{ TableNames: string[] }>(url, 'ListTables', {});
    if (TableNames.length === 0) {
      await dynamo(url, 'CreateTable', {
        TableName: 'Ferries',
        AttributeDefinitions: [{ AttributeName: 'name', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'name', KeyType: 'HASH' }],
        ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      });
    }
    await put(url, 'Sandpiper', 'north-2');
    await put(url, 'Petrel', 'south-9');
    return (await count(url)) === 2;
  },
  ready: async () => true,
  facts: [
    { ask: 'table', line: 'Ferries' },
    { ask: 'an item', line: 'Sandpiper' },
    { ask: 'an attribute of it', line: 'north-2' },
    { ask: 'milliseconds to create a table', value: 317 },
    { ask: 'most bytes of an item', match: '^(123|125952)$', key: 'maxItem' },
  ],
  tasks: [
    { kind: 'read', words: 'At which berth is the ferry "Petrel"?', check: says('south-9') },
    {
      kind: 'wait',
      words: 'Wait until there is a ferry "Kittiwake".',
      event: ({ url }) => put(url, 'Kittiwake', 'north-3'),
      check: async ({ url }) => (await count(url)) === 3,
    },
  ],
};
