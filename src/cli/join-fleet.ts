/** Creates the fleet. Loaded only by a daemon that is in one: see serve.ts. */
import os from 'node:os';
import { Fleet, type FleetParts } from '../fleet/fleet.ts';
import { readSecretFile } from '../store/secret-file.ts';
import { VERSION } from '../version.ts';

/** Throws if the settings contradict each other, or if others could read the credentials. */
export function joinFleet(parts: Pick<FleetParts, 'settings' | 'server' | 'schemas' | 'log'>): Fleet {
  const { settings } = parts;
  const credentials = settings.credentials === undefined ? null : readSecretFile(settings.credentials);
  return new Fleet({ ...parts, credentials, machine: os.hostname(), version: VERSION });
}
