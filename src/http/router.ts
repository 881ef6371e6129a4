/** Finds the route of a request. Paths are compared as they came: nothing is decoded, no slash is forgiven. */
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
  /** Another daemon of the fleet, and what it is to be asked for; null: it is for this one. */
  readonly elsewhere: { readonly host: string; readonly target: string } | null;
}

/** What follows the name of a host is a path of its own API. */
const HOSTS = `${PREFIX}/hosts/`;
const MCP = '/mcp';

/** Only read. */
const NO_QUERY = new URLSearchParams();
const PID_TEXT = /^[1-9][0-9]{0,9}$/;

export class Router {
  private readonly routes: ReadonlyMap<string, Route>;
  /** Paths where the method alone can be wrong. */
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

/** Whether other daemons of the fleet may ask for it. A list of hosts is the same everywhere; links are for one dashboard. */
export function isForOthers({ path, auth }: Pick<Route, 'path' | 'auth'>): boolean {
  if (path === MCP) return true;
  return auth && path.startsWith(`${PREFIX}/`) && !path.startsWith(`${PREFIX}/hosts`) && !path.includes('/dashboard/');
}

export function pidOf({ lastPart }: Match): number {
  const pid = PID_TEXT.test(lastPart) ? Number(lastPart) : Number.NaN;
  // The schema is for what to say: to ask it each time would take longer than all the rest.
  return pid <= MAX_PID ? pid : parseParameter('pid', pidParameter, pid);
}

/** Parameters that no route knows are ignored; one that is given twice has no one meaning. */
export function queryValue({ query }: Match, name: string): string | undefined {
  const given = query.getAll(name);
  if (given.length > 1) throw new SubstrateError('invalid_request', `${name}: expected only once in the query`);
  return given[0];
}
