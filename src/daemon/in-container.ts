/** Names programs in containers: two copies of a service have the same files, but are two apps. */
import type { ProcessInfo, ProcessInspector, ProcessOrigin } from '../model/process.ts';
import type { ProgramIdentity, Recognition } from '../probes/probe.ts';

/** Adds the container to the recognition of a driver. `plainName` is the name without the container. */
export function locate(
  recognition: Recognition,
  process: ProcessInfo,
  inspect: Pick<ProcessInspector, 'origin'>,
): { recognition: Recognition; plainName: string } {
  const origin = inspect.origin(process);
  const plainName = recognition.appName;
  if (origin === null) return { recognition, plainName };
  return { recognition: { ...recognition, ...inContainer(recognition, origin), origin }, plainName };
}

/** The name and identity that a program has in this container: `shop@web-1`. */
export function inContainer(program: ProgramIdentity, origin: ProcessOrigin | undefined): ProgramIdentity {
  const key = origin?.key ?? null;
  if (origin === undefined || key === null) return program;
  const place = (identity: string) => `${identity}\0container:${key}`;
  return {
    appName: `${program.appName}@${origin.name}`,
    identity: place(program.identity),
    ...(program.earlier ? { earlier: program.earlier.map(place) } : {}),
  };
}
