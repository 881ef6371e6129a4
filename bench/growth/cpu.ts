/** CPU time as counted by the scheduler, which other programs on the machine change little. */
import fs from 'node:fs';

/** Milliseconds of all threads of a process. */
export function cpuMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for (const thread of fs.readdirSync(folder)) {
    nanoseconds += Number(fs.readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
  }
  return nanoseconds / 1e6;
}

/** The CPU time of each of these processes per repetition. */
export async function cpuOf<Name extends string>(
  pids: Readonly<Record<Name, number>>,
  count: number,
  work: () => Promise<unknown>,
): Promise<Record<Name, number>> {
  const names = Object.keys(pids) as Name[];
  const before = names.map((name) => cpuMs(pids[name]));
  for (let time = 0; time < count; time++) await work();
  const used = names.map((name, at) => [name, (cpuMs(pids[name]) - (before[at] ?? 0)) / count]);
  return Object.fromEntries(used) as Record<Name, number>;
}
