/** Compiles the C helpers of test/targets/native, if they have changed. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const SOURCES = path.resolve(import.meta.dirname, '../targets/native');
const BUILT = path.resolve(import.meta.dirname, '../../.cache/native');

/** The path of the result of `<name>.c`: a program, or a library to preload. */
export function compileNative(name: string, kind: 'program' | 'library'): string {
  const source = path.join(SOURCES, `${name}.c`);
  const hash = createHash('sha256').update(fs.readFileSync(source)).digest('hex').slice(0, 12);
  const built = path.join(BUILT, `${name}-${hash}${kind === 'library' ? '.so' : ''}`);
  if (fs.existsSync(built)) return built;
  fs.mkdirSync(BUILT, { recursive: true });
  // Made beside its place and then moved: nobody may see half of it.
  const draft = `${built}.${process.pid}`;
  const options = kind === 'library' ? ['-shared', '-fPIC', '-ldl'] : [];
  execFileSync('gcc', ['-std=gnu11', '-O1', '-Wall', '-Wextra', '-Werror', source, '-o', draft, ...options]);
  fs.renameSync(draft, built);
  return built;
}
