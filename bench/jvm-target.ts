/** The program of test/targets/java/tight. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { javaOf, MAIN_JDK, startJava } from '../test/support/java.ts';
import { startTightTarget, type TightTarget } from './shared/tight-target.ts';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;

/** The JDK's own tool. */
export async function jcmd(pid: number, ...command: readonly string[]): Promise<string> {
  const tool = path.join(path.dirname(javaOf(MAIN_JDK)), 'jcmd');
  return (await run(tool, [String(pid), ...command], { maxBuffer: MAX_OUTPUT })).stdout;
}

export function startTight(leaves: number, heapMb: number): Promise<TightTarget> {
  return startTightTarget(
    (file) =>
      startJava(
        { target: 'tight', main: 'com.example.tight.Tight' },
        { args: [String(leaves), String(heapMb), file], options: ['-Xmx3g'] },
      ),
    async ({ pid }) => {
      await jcmd(pid, 'GC.run');
      return Number(/used (\d+)K/.exec(await jcmd(pid, 'GC.heap_info'))?.[1]) / 1024;
    },
  );
}
