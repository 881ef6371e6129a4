/** The route that lists the other daemons of the fleet. */
import { type HostsResponse, hostsResponse } from '../model/wire.ts';
import { jsonReply } from './reply.ts';
import { get, PREFIX, type Route, STANDARD } from './route.ts';

const NO_FLEET: HostsResponse = {
  host: null,
  problem: 'This daemon is in no fleet: [fleet] of its configuration names no servers.',
  total: 0,
  hosts: [],
};

export const HOSTS_ROUTE: Route = get({
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
