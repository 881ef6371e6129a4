/**
 * Keeps web pages out. A page can make its visitor's browser send requests to loopback, either openly (then the browser
 * names the page in Origin, Referer and Sec-Fetch-Site) or under a domain of its own that resolves to 127.0.0.1 (then
 * Host has that domain). Names are parsed and compared whole, never by prefix.
 */
import type { IncomingMessage } from 'node:http';
import type { Config } from '../model/config.ts';
import { SubstrateError } from '../model/errors.ts';
import { headerValues } from './header-values.ts';

interface Authority {
  readonly name: string;
  readonly port: number;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '::1'];
const WILDCARDS = new Set(['0.0.0.0', '::']);
const AUTHORITY = /^(?:\[([0-9a-f:.]+)\]|([0-9a-z._-]+))(?::([0-9]{1,5}))?$/;
const HTTP_PORT = 80;
/** Headers in which a browser names the requesting page. */
const PAGE_HEADERS = ['origin', 'referer'];

export class OriginGuard {
  private readonly names: ReadonlySet<string>;
  /** Additional names of the daemon from the configuration, also those of a proxy with TLS. */
  private readonly allowed: ReadonlySet<string>;
  private readonly bindsEverywhere: boolean;
  private readonly ownPort: () => number;

  constructor({ host: configured, allowed_hosts }: Config['server'], ownPort: () => number) {
    const host = configured.toLowerCase();
    this.allowed = new Set(allowed_hosts.map((name) => name.toLowerCase()));
    this.names = new Set([...LOOPBACK_NAMES, host, ...this.allowed]);
    this.bindsEverywhere = WILDCARDS.has(host);
    this.ownPort = ownPort;
  }

  /** Throws `forbidden_host` or `forbidden_origin`. */
  check(req: IncomingMessage): void {
    const host = this.checkedHost(req);
    const site = req.headers['sec-fetch-site'];
    const isForeign =
      PAGE_HEADERS.some((name) => headerValues(req, name).some((page) => !this.isOurs(page, host))) ||
      (site !== undefined && site !== 'same-origin' && site !== 'none');
    if (isForeign) {
      throw new SubstrateError('forbidden_origin', refusalFor(req));
    }
  }

  private checkedHost(req: IncomingMessage): Authority {
    const given = headerValues(req, 'host');
    const host = given.length === 1 ? parseAuthority(given[0] ?? '') : null;
    if (host === null || !(this.names.has(host.name) || this.isAddressOf(req, host.name))) {
      throw new SubstrateError(
        'forbidden_host',
        'Host: expected the address on which the daemon listens, or a name of allowed_hosts in [server] of its configuration.',
      );
    }
    return host;
  }

  /**
   * A daemon that listens everywhere has addresses that the configuration does not name. An address cannot be rebound.
   */
  private isAddressOf(req: IncomingMessage, name: string): boolean {
    return this.bindsEverywhere && name === req.socket.localAddress?.replace(/^::ffff:/, '');
  }

  /** The port may also be the one in Host: behind a forwarded port the browser knows only that one. */
  private isOurs(page: string, host: Authority): boolean {
    const url = URL.canParse(page) ? new URL(page) : null;
    const from = url === null ? null : parseAuthority(url.host);
    if (url === null || from === null) return false;
    // The daemon has no TLS: a proxy in front of it answers under this name on the usual port.
    const isProxied = url.protocol === 'https:' && this.allowed.has(from.name);
    if (url.protocol !== 'http:' && !isProxied) return false;
    if (from.name === host.name && from.port === host.port) return true;
    return !isProxied && this.names.has(from.name) && from.port === this.ownPort();
  }
}

/** A followed link means a person, for whom the page explains what to do. */
function refusalFor({ headers }: IncomingMessage): string {
  const refusal = 'Requests made by pages of another origin are refused.';
  if (headers['sec-fetch-mode'] !== 'navigate') return refusal;
  return `${refusal} Put the address into the address bar yourself instead of following a link.`;
}

function parseAuthority(text: string): Authority | null {
  const match = AUTHORITY.exec(text.toLowerCase());
  const name = match?.[1] ?? match?.[2];
  if (name === undefined) return null;
  return { name, port: Number(match?.[3] ?? HTTP_PORT) };
}
