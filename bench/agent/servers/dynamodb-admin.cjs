// dynamodb-admin, which renders its pages on the server, on a database in memory with two tables.
const path = require('node:path');
const modules = path.resolve('node_modules');
const load = (name) => require(path.join(modules, name));
const dynalite = load('dynalite');
const { CreateTableCommand, DynamoDBClient, PutItemCommand } = load('@aws-sdk/client-dynamodb');

const TABLES = {
  ferries: [
    ['Skua', 'east-3'],
    ['Gannet', 'west-1'],
  ],
  tolls: [['lorry', '64 crowns']],
};
const port = Number(process.argv[2]);
const database = dynalite({ createTableMs: 0, deleteTableMs: 0 });
database.listen(0, '127.0.0.1', async () => {
  const endpoint = `http://127.0.0.1:${database.address().port}`;
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });
  for (const [TableName, items] of Object.entries(TABLES)) {
    await client.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'name', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'name', KeyType: 'HASH' }],
        ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      }),
    );
    for (const [name, at] of items) {
      await client.send(new PutItemCommand({ TableName, Item: { name: { S: name }, at: { S: at } } }));
    }
  }
  process.argv.splice(2, 1, '--host', '127.0.0.1', '--port', String(port), '--dynamo-endpoint', endpoint);
  await import(path.join(modules, 'dynamodb-admin/dist/dynamodb-admin.js'));
});
