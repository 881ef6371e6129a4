/** The NATS subjects of the fleet. Operators write permissions for them. */

export const SERVICE = 'substrate';
const ROOT = 'substrate.v1';
const PREFIX = '/substrate/v1/';

/** `substrate.v1.web-3`: the prefix of all requests to a host. */
export const subjectOfHost = (host: string): string => `${ROOT}.${host}`;

/** `substrate.events.v1.web-3.coffee-1a2b`: separate from requests, so that an operator can permit events alone. */
export const eventSubject = (host: string, appId: string): string => `substrate.events.v1.${host}.${appId}`;

/**
 * The last parts of a subject: `get.state`, `post.action`. A request must match its subject, because an operator may
 * permit some subjects only. Null if the target is not a route.
 */
export function endpointOf(method: string, target: string): string | null {
  const [path = ''] = target.split('?', 1);
  const rest = path === '/mcp' ? 'mcp' : path.startsWith(PREFIX) ? path.slice(PREFIX.length) : '';
  const name = /^([a-z]+)(?:\/|$)/.exec(rest)?.[1];
  return name === undefined ? null : `${method.toLowerCase()}.${name}`;
}

/** The name of a daemon, from that of its machine. Dots and wildcards have a meaning in subjects and are replaced. */
export function hostNameOf(machine: string): string {
  return machine.replaceAll(/[^0-9A-Za-z_-]+/g, '-').slice(0, 63) || 'host';
}
