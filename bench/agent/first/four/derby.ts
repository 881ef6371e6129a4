import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import { answers, portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const run = promisify(execFile);
const jars = (...names: readonly string[]) =>
  names.map((name) => debianFile('derby', `usr/share/java/${name}.jar`)).join(path.delimiter);

/** Like any other client. */
async function sql(url: string, statement: string): Promise<string> {
  const address = `jdbc:derby://127.0.0.1:${portOf(url)}/harbour;create=true`;
  const program = path.resolve('bench/agent/programs/Sql.java');
  return (
    await run('java', ['-cp', jars('derbyclient'), program, address, statement, 'app', 'app'], { timeout: 60_000 })
  ).stdout;
}

let isFilled = false;

export const derby: FirstApp = {
  name: 'derby',
  kind: 'Java: SQL database server',
  debian: ['libderby-java', 'libderbyclient-java'],
  isHttp: false,
  start({ port, folder }) {
    isFilled = false;
    const settings = ['-Dderby.drda.maxThreads=17', '-Dderby.drda.timeSlice=2718', `-Dderby.system.home=${folder}`];
    const server = ['org.apache.derby.drda.NetworkServerControl', 'start', '-h', '127.0.0.1', '-p', String(port)];
    const args = [...settings, '-cp', jars('derby', 'derbynet'), ...server, '-noSecurityManager'];
    return startCommand('java', args, { port, folder });
  },
  async fill(url) {
    if (!(await answers(portOf(url)))) return false;
    if (!isFilled) {
      await sql(url, 'CREATE TABLE ferries (id INT PRIMARY KEY, name VARCHAR(40), berth VARCHAR(40))');
      await sql(url, `INSERT INTO ferries VALUES (1, 'Sandpiper', 'north-2'), (2, 'Petrel', 'south-9')`);
    }
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'database that is open', line: '\\bharbour\\b' },
    { ask: 'most threads', value: 17 },
    { ask: 'milliseconds of a time slice', value: 2718 },
    { ask: 'table', value: 'FERRIES' },
    { ask: 'address that it listens on', value: '127.0.0.1' },
  ],
  tasks: [
    { kind: 'read', words: 'What is "max threads"?', check: says('17') },
    { kind: 'read', words: 'What is the "time slice"?', check: says('2718') },
  ],
};
