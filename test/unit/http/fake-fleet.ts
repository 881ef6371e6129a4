/** A fleet of this daemon alone, which has published something of its app. */
import { SubstrateError } from '../../../src/model/errors.ts';
import type { FleetPort } from '../../../src/model/fleet.ts';
import { APP_ID } from './fake-service.ts';

const alone = async () => {
  throw new SubstrateError('host_unreachable', 'There is no other host.');
};

export const FAKE_FLEET: FleetPort = {
  host: 'here',
  hosts: async () => ({ host: 'here', problem: null, total: 0, hosts: [] }),
  ask: alone,
  watch: alone,
  published: async ({ host, from, to, keys, allow }) => {
    allow(APP_ID);
    const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
    const points = [{ at: start, value: 1 }];
    const series = keys.map((key) => ({ key, pid: 1, seen_at: start, points }));
    return { host, app_id: APP_ID, from: start, to: end, lost: 0, series };
  },
};
