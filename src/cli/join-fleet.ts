/** Creates the fleet. Loaded only by a daemon that is in one: see serve.ts. */
import os from 'node:os';
import { Fleet, type FleetSettings, type OwnEdge } from '../fleet/fleet.ts';
import type { Logger } from '../model/log.ts';
import { readSecretFile } from '../store/secret-file.ts';
import { VERSION } from '../version.ts';

/** Throws if the settings contradict each other, or if others could read the credentials. */
export function joinFleet(settings: FleetSettings, server: OwnEdge, log: Logger): Fleet {
  const credentials = settings.credentials === undefined ? null : readSecretFile(settings.credentials);
  return new Fleet({ settings, credentials, machine: os.hostname(), version: VERSION, server, log });
}
