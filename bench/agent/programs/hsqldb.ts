import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type App, says } from '../app.ts';
import { debianFile } from '../install.ts';
import { startCommand } from '../start.ts';

const run = promisify(execFile);
const jar = () => debianFile('hsqldb', 'usr/share/java/hsqldb.jar');

/** Like any other client: its answer, line by line. */
async function sql(url: string, statement: string): Promise<string> {
  const address = `jdbc:hsqldb:hsql://127.0.0.1:${new URL(url).port}/harbour`;
  const program = path.resolve('bench/agent/programs/Sql.java');
  return (await run('java', ['-cp', jar(), program, address, statement], { timeout: 30_000 })).stdout;
}

export const hsqldb: App = {
  name: 'hsqldb',
  debian: ['libhsqldb-java'],
  isHttp: false,
  start({ port, folder }) {
    const args = ['-cp', jar(), 'org.hsqldb.server.Server', '--address', '127.0.0.1', '--port', String(port)];
    return startCommand('java', [...args, '--database.0', 'mem:harbour', '--dbname.0', 'harbour'], { port, folder });
  },
  async fill(url) {
    await sql(url, 'CREATE TABLE IF NOT EXISTS ferries (id INT PRIMARY KEY, name VARCHAR(40), berth VARCHAR(40))');
    await sql(
      url,
      `MERGE INTO ferries USING (VALUES 1, 'Sandpiper', 'north-2') AS v(i, n, b) ON id = v.i WHEN NOT MATCHED THEN INSERT VALUES v.i, v.n, v.b`,
    );
    await sql(
      url,
      `MERGE INTO ferries USING (VALUES 2, 'Petrel', 'south-9') AS v(i, n, b) ON id = v.i WHEN NOT MATCHED THEN INSERT VALUES v.i, v.n, v.b`,
    );
    return true;
  },
  ready: async () => true,
  tasks: [
    { kind: 'read', words: 'At which berth is the ferry "Petrel"?', check: says('south-9') },
    {
      kind: 'act',
      words: 'Press "set read only" of the database.',
      check: ({ url }) =>
        sql(url, `INSERT INTO ferries VALUES (4, 'Tern', 'west-1')`).then(
          () => false,
          (error: Error) => error.message.includes('read-only'),
        ),
    },
    {
      kind: 'wait',
      words: 'Wait until there is a ferry "Kittiwake".',
      event: ({ url }) => sql(url, `INSERT INTO ferries VALUES (3, 'Kittiwake', 'north-3')`),
      check: async ({ url }) => (await sql(url, 'SELECT name FROM ferries')).includes('Kittiwake'),
    },
  ],
};
