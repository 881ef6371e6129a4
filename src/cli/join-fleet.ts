/** Puts the fleet together. Loaded only by a daemon that is in one: see serve.ts. */
import os from 'node:os';
import { Fleet, type FleetParts } from '../fleet/fleet.ts';
import { readSecretFile } from '../store/secret-file.ts';
import { VERSION } from '../version.ts';

/** Throws where the settings do not go together, or the credentials could be read by others. */
export function joinFleet(parts: Pick<FleetParts, 'settings' | 'server' | 'schemas' | 'log'>): Fleet {
  const { settings } = parts;
  const credentials = settings.credentials === undefined ? null : readSecretFile(settings.credentials);
  return new Fleet({ ...parts, credentials, machine: os.hostname(), version: VERSION });
}
