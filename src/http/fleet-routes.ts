/** The routes about the fleet: its daemons, and the history of their published values. */
import * as z from 'zod';
import { HOST_NAME } from '../model/config.ts';
import { SubstrateError } from '../model/errors.ts';
import { type HostsResponse, hostsResponse, publishedResponse } from '../model/fleet-wire.ts';
import { splitGlobs } from '../model/key-filter.ts';
import { historyKeysQuery } from '../model/wire.ts';
import { jsonReply } from './reply.ts';
import { get, PREFIX, type Route, STANDARD } from './route.ts';

const IN_NO_FLEET = 'This daemon is in no fleet: [fleet] of its configuration names no servers.';
const NO_FLEET: HostsResponse = {
  host: null,
  problem: IN_NO_FLEET,
  total: 0,
  hosts: [],
};

const hostQuery = z.string().regex(HOST_NAME).optional();
const appQuery = z.string().min(1).max(200);
const timeQuery = z.iso.datetime({ offset: true }).optional();

const HOSTS_ROUTE: Route = get({
  path: `${PREFIX}/hosts`,
  auth: true,
  scope: 'read',
  bucket: 'state',
  ...STANDARD,
  doc: {
    operationId: 'listHosts',
    summary: 'List the daemons of the fleet: those that answer, and those that did within the last 10 minutes.',
    answer: hostsResponse,
  },
  handle: async ({ backend }) => jsonReply((await backend.fleet()?.hosts()) ?? NO_FLEET),
});

const PUBLISHED_ROUTE: Route = get({
  path: `${PREFIX}/published`,
  auth: true,
  scope: 'read',
  bucket: 'state',
  takesTurns: true,
  ...STANDARD,
  doc: {
    operationId: 'readPublished',
    summary: 'Read what some published keys held at a time or over a span, also of a host that is gone.',
    query: [
      { name: 'host', schema: hostQuery, required: false, description: 'The host; default: this one.' },
      { name: 'app', schema: appQuery, required: true, description: 'The app_id, or its beginning.' },
      {
        name: 'keys',
        schema: historyKeysQuery,
        required: true,
        description: 'Keys, separated by commas, no globs. At most 20.',
      },
      { name: 'from', schema: timeQuery, required: false, description: 'The time; default: now.' },
      { name: 'to', schema: timeQuery, required: false, description: 'The end of a span; default: `from`.' },
    ],
    answer: publishedResponse,
    errors: ['not_found', 'host_unreachable'],
  },
  handle: async (call) => {
    const fleet = call.backend.fleet();
    const host = call.query('host', hostQuery) ?? fleet?.host ?? '';
    const app = call.query('app', appQuery);
    const keys = splitGlobs(call.query('keys', historyKeysQuery));
    const from = timeOf(call.query('from', timeQuery)) ?? Date.now();
    const to = timeOf(call.query('to', timeQuery)) ?? from;
    if (to < from) throw new SubstrateError('invalid_request', 'to: expected a time that is not before `from`');
    if (fleet === null) throw new SubstrateError('not_found', IN_NO_FLEET);
    const { signal } = call.options;
    return jsonReply(
      await fleet.published({ host, app, keys, from, to, signal, allow: (app_id) => call.allow({ app_id }) }),
    );
  },
});

function timeOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text);
}

export const FLEET_ROUTES: readonly Route[] = [HOSTS_ROUTE, PUBLISHED_ROUTE];
