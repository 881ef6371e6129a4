/** The names under which daemons find and ask each other. They are what NATS permissions are written for. */

export const SERVICE = 'substrate';
const ROOT = 'substrate.v1';
const PREFIX = '/substrate/v1/';

/** `substrate.v1.web-3`: all that is asked of a host is below it. */
export const subjectOfHost = (host: string): string => `${ROOT}.${host}`;

/** `substrate.events.v1.web-3.coffee-1a2b`: what changes there. Apart from requests, since others may read it. */
export const eventSubject = (host: string, appId: string): string => `substrate.events.v1.${host}.${appId}`;

/**
 * The last part of a subject: `get.state`, `post.action`. What a request asks for must be what its subject says, since who
 * may ask for what can be a matter of the NATS server, too. Null: nothing that is asked of other hosts.
 */
export function endpointOf(method: string, target: string): string | null {
  const [path = ''] = target.split('?', 1);
  const rest = path === '/mcp' ? 'mcp' : path.startsWith(PREFIX) ? path.slice(PREFIX.length) : '';
  const name = /^([a-z]+)(?:\/|$)/.exec(rest)?.[1];
  return name === undefined ? null : `${method.toLowerCase()}.${name}`;
}

/** A name for a daemon from that of its machine: dots part subjects, and stars mean all. */
export function hostNameOf(machine: string): string {
  return machine.replaceAll(/[^0-9A-Za-z_-]+/g, '-').slice(0, 63) || 'host';
}
