// `npm run test:repeat -- <pattern> [n] [options of vitest]`: hunts for an intermittent failure. Runs the files whose
// path contains the pattern n times (20), each time in a new process, and reports which test failed how often. Run it
// after `npm test`, which prepares their needs.
import { aloneCommand } from './alone.mjs';
import { runTests, vitestCommand } from './test-groups.mjs';

const [pattern, ...more] = process.argv.slice(2);
if (pattern === undefined || pattern.startsWith('-')) {
  console.error('npm run test:repeat -- <part of the path of a test> [how often] [-t <part of its name>]');
  process.exit(2);
}
const times = /^\d+$/.test(more[0] ?? '') ? Number(more.shift()) : 20;
const plain = vitestCommand([], ['--no-file-parallelism', pattern, ...more]);
const command = aloneCommand(plain) ?? plain;

const failed = new Map();
let passed = 0;
for (let round = 1; round <= times; round++) {
  const result = await runTests({ groups: ['repeat'], command, output: 'ignore' });
  if (result.passed === 0 && result.failures.length === 0) {
    console.error(`No test is in a file whose path contains ${pattern}.`);
    process.exit(2);
  }
  passed += result.passed;
  for (const { file, name, text } of result.failures) {
    const key = `${file}: ${name}`;
    const seen = failed.get(key) ?? { count: 0, texts: new Set() };
    failed.set(key, { count: seen.count + 1, texts: seen.texts.add(text) });
  }
  const names = result.failures.map(({ name }) => name).join('; ');
  console.error(`${round} of ${times}, ${result.seconds} s: ${names === '' ? 'good' : `FAILED: ${names}`}`);
}
for (const [name, { count, texts }] of failed)
  console.error(`\n${count} of ${times}: ${name}\n${[...texts].join('\n\n')}`);
console.log(`${passed} passed, ${[...failed.values()].reduce((sum, { count }) => sum + count, 0)} failed`);
process.exit(failed.size === 0 ? 0 : 1);
