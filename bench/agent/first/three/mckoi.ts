import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import { answers, portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const run = promisify(execFile);
const USER = ['harbourmaster', 'low-tide'] as const;
const jar = () => debianFile('mckoi', 'usr/share/java/mckoisqldb.jar');
const MAIN = 'com.mckoi.runtime.McKoiDBMain';

/** Like any other client. */
async function sql(url: string, statement: string): Promise<string> {
  const program = path.resolve('bench/agent/programs/Sql.java');
  const args = ['-Djdbc.drivers=com.mckoi.JDBCDriver', '-cp', jar(), program];
  const { stdout } = await run('java', [...args, `jdbc:mckoi://127.0.0.1:${portOf(url)}/`, statement, ...USER], {
    timeout: 30_000,
  });
  return stdout;
}

let isFilled = false;

export const mckoi: FirstApp = {
  name: 'mckoi',
  kind: 'Java: SQL database server',
  debian: ['libmckoisqldb-java'],
  isHttp: false,
  start({ port, folder }) {
    isFilled = false;
    const settings = ['database_path=./harbour-data', 'log_path=./harbour-log', 'root_path=jvm', 'debug_level=20'];
    settings.push(`jdbc_server_port=${port}`, 'data_cache_size=4711000', 'maximum_worker_threads=7');
    fs.writeFileSync(path.join(folder, 'db.conf'), settings.join('\n'));
    const args = ['-cp', jar(), MAIN, '-conf', 'db.conf'];
    execFileSync('java', [...args, '-create', ...USER], { cwd: folder, stdio: 'ignore' });
    return startCommand('java', args, { port, folder });
  },
  async fill(url) {
    if (!(await answers(portOf(url)))) return false;
    if (!isFilled) {
      await sql(url, 'CREATE TABLE Ferries (name VARCHAR(40), berth VARCHAR(40))');
      await sql(url, `INSERT INTO Ferries VALUES ('Sandpiper', 'north-2')`);
    }
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'folder of the data', match: 'harbour-data$' },
    { ask: 'a table', value: 'Ferries' },
    { ask: 'size of the cache', value: 4_711_000 },
    { ask: 'most threads at work', value: 7, key: 'thread|worker' },
    { ask: 'a column', value: 'berth' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "data cache size"?', check: says('4711000') },
    {
      kind: 'wait',
      words: 'Wait until there is a table "Kittiwakes".',
      event: ({ url }) => sql(url, 'CREATE TABLE Kittiwakes (name VARCHAR(40))'),
      check: () => true,
    },
  ],
};
