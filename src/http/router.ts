/** Finds the route of a request. Paths are compared as received: nothing is decoded, no slash is ignored. */
import { HOST_NAME } from '../model/config.ts';
import { SubstrateError } from '../model/errors.ts';
import { MAX_PID, pidParameter } from '../model/wire.ts';
import { PREFIX, type Route } from './route.ts';
import { parseParameter } from './validation.ts';

export interface Match {
  readonly route: Route;
  /** The last part of the path. */
  readonly lastPart: string;
  readonly query: URLSearchParams;
  /** Another daemon of the fleet, and the target there; null if it is for this daemon. */
  readonly elsewhere: { readonly host: string; readonly target: string } | null;
}

/** The part after the name of a host is a path of that host's API. */
const HOSTS = `${PREFIX}/hosts/`;
const MCP = '/mcp';

/** Read-only. */
const NO_QUERY = new URLSearchParams();
const PID_TEXT = /^[1-9][0-9]{0,9}$/;

export class Router {
  private readonly routes: ReadonlyMap<string, Route>;
  /** Paths with a 405 for other methods. */
  private readonly oneMethod: ReadonlySet<string>;

  constructor(routes: readonly Route[]) {
    this.routes = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
    this.oneMethod = new Set(routes.filter((route) => route.refusesOtherMethods).map(({ path }) => path));
  }

  /** Throws `not_found` or `method_not_allowed`. */
  match(method: string, target: string): Match {
    return target.startsWith(HOSTS) ? this.matchElsewhere(method, target) : this.matchHere(method, target);
  }

  private matchElsewhere(method: string, target: string): Match {
    const slash = target.indexOf('/', HOSTS.length);
    const host = target.slice(HOSTS.length, slash === -1 ? undefined : slash);
    if (!HOST_NAME.test(host))
      throw new SubstrateError('invalid_request', 'host: expected a name from the list of hosts');
    const rest = slash === -1 ? '' : target.slice(slash);
    const inner = rest === MCP ? MCP : `${PREFIX}${rest}`;
    const match = this.matchHere(method, inner);
    if (!isForOthers(match.route)) throw new SubstrateError('not_found', 'This is not asked of other hosts.');
    return { ...match, elsewhere: { host, target: inner } };
  }

  private matchHere(method: string, target: string): Match {
    const mark = target.indexOf('?');
    const path = mark === -1 ? target : target.slice(0, mark);
    const slash = path.lastIndexOf('/');
    const route = this.routes.get(`${method} ${path}`) ?? this.routes.get(`${method} ${path.slice(0, slash)}/{pid}`);
    if (route === undefined && this.oneMethod.has(path)) {
      throw new SubstrateError('method_not_allowed', `${path} takes POST only.`);
    }
    if (route === undefined) throw new SubstrateError('not_found', 'No such path and method. See /openapi.json.');
    const query = mark === -1 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1));
    return { route, lastPart: path.slice(slash + 1), query, elsewhere: null };
  }
}

/**
 * True if other daemons of the fleet may request it. The list of hosts is the same everywhere; links are for one
 * dashboard.
 */
export function isForOthers({ path, auth }: Pick<Route, 'path' | 'auth'>): boolean {
  if (path === MCP) return true;
  return auth && path.startsWith(`${PREFIX}/`) && !path.startsWith(`${PREFIX}/hosts`) && !path.includes('/dashboard/');
}

export function pidOf({ lastPart }: Match): number {
  const pid = PID_TEXT.test(lastPart) ? Number(lastPart) : Number.NaN;
  // The schema is only used for its message: calling it every time would take longer than all the rest.
  return pid <= MAX_PID ? pid : parseParameter('pid', pidParameter, pid);
}

/** Unknown parameters are ignored; a repeated one is ambiguous. */
export function queryValue({ query }: Match, name: string): string | undefined {
  const given = query.getAll(name);
  if (given.length > 1) throw new SubstrateError('invalid_request', `${name}: expected only once in the query`);
  return given[0];
}
