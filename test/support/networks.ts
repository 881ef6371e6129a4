/** Networks of their own for programs, each with a cable to this one: as hosts that reach one server. Needs root. */
import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

export interface Network {
  /** Of this machine, as seen from there. */
  readonly server: string;
  /** Of the host there. */
  readonly address: string;
  /** Starts a program there. */
  readonly by: readonly string[];
  /** Pulls the cable. */
  cut(): void;
  mend(): void;
}

const ip = (...words: string[]) => execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] });

/** `number`: of the network, from 1; no two at a time may have the same. */
export function makeNetwork(number: number): Network {
  const [name, near, far] = [`host${number}`, `near${number}`, `far${number}`];
  const [server, address] = [`10.99.${number}.1`, `10.99.${number}.2`];
  ip('netns', 'add', name);
  onTestFinished(() => void ip('netns', 'delete', name));
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name);
  ip('address', 'add', `${server}/30`, 'dev', near);
  ip('link', 'set', near, 'up');
  ip('-n', name, 'address', 'add', `${address}/30`, 'dev', far);
  ip('-n', name, 'link', 'set', far, 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  return {
    server,
    address,
    by: ['nsenter', `--net=/run/netns/${name}`],
    cut: () => void ip('link', 'set', near, 'down'),
    mend: () => void ip('link', 'set', near, 'up'),
  };
}
