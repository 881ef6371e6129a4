/** Checks the fleet: its server, the permissions there, and whether the running daemon is in it. */
import os from 'node:os';
import { type FleetSettings, lookAtFleet } from '../../fleet/look.ts';
import { messageOf } from '../../model/failure.ts';
import { readSecretFile } from '../../store/secret-file.ts';
import { type Check, ok, problem, warning } from './check.ts';

const MAX_LISTED = 10;

/** `isRunning` is true if a daemon with this configuration answers. */
export async function checkFleet(settings: FleetSettings, isRunning: boolean): Promise<Check[]> {
  let credentials: Uint8Array | null = null;
  try {
    if (settings.credentials !== undefined) credentials = readSecretFile(settings.credentials);
  } catch (error) {
    return [
      problem('fleet', messageOf(error), 'Give the daemon a file that it alone can read: credentials in [fleet].'),
    ];
  }
  const look = await lookAtFleet(settings, credentials, os.hostname());
  if (!look.isReached) return [problem('fleet', look.problem, look.remedy)];
  const { server, host, hosts, missing, jetStreamProblem } = look;
  const names = `${hosts.slice(0, MAX_LISTED).join(', ')}${hosts.length > MAX_LISTED ? ', …' : ''}`;
  const answering = hosts.length === 0 ? 'no daemon answers there' : `${hosts.length} answer there: ${names}`;
  const checks = [ok('fleet', `the NATS server ${server} is reached; ${answering}`)];
  if (missing.length > 0) {
    const message = `The NATS server does not let this daemon ${missing.join(', ')}.`;
    checks.push(warning('fleet_rights', message, 'docs/fleet.md#rights lists the permissions that a user needs.'));
  } else checks.push(ok('fleet_rights', 'it may answer, find and ask other hosts'));
  if (jetStreamProblem !== null && (settings.share_schemas || keepsHistory(settings)))
    checks.push(
      warning(
        'fleet_jetstream',
        `${jetStreamProblem} Hosts do not learn from each other, and published changes are not kept.`,
        'Turn it on (nats-server -js, or jetstream in its configuration), or set share_schemas = false and history_hours = 0 in [fleet].',
      ),
    );
  else if (jetStreamProblem === null)
    checks.push(ok('fleet_jetstream', 'schemas can be shared and published changes kept'));
  if (isRunning && !hosts.includes(host)) {
    const message = `The daemon that runs here does not answer in the fleet as ${host}.`;
    checks.push(
      warning('fleet_host', message, 'Its log and GET /substrate/v1/hosts say why. It reads [fleet] when it starts.'),
    );
  }
  return checks;
}

function keepsHistory({ publish, history_hours }: FleetSettings): boolean {
  return publish.length > 0 && history_hours > 0;
}
