/** Sessions in docs/ are real output of programs: `RECORD_SESSIONS=1` puts them there, between two marks. */
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

export function recordSession(
  page: string,
  { name, command, output }: Record<'name' | 'command' | 'output', string>,
): void {
  const file = path.join(ROOT, page);
  const text = fs.readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- recorded: ${name} -->\n`, `<!-- end: ${name} -->`];
  const [at, until] = [text.indexOf(begin), text.indexOf(end)];
  if (at < 0 || until < at) throw new Error(`${page} has no place for the session of ${name}`);
  if (process.env.RECORD_SESSIONS === undefined) return;
  const lines = output.split('\n').map((line) => line.trimEnd());
  const session = `\n\`\`\`\n$ ${command}\n${lines.join('\n').trim()}\n\`\`\`\n\n`;
  fs.writeFileSync(file, text.slice(0, at + begin.length) + session + text.slice(until));
}
