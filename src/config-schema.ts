/** All settings: the common ones, and a section `[probe.<runtime>]` for each driver. */
import type * as z from 'zod';
import { commonSettings } from './model/config.ts';
import { DRIVERS } from './probes/registry.ts';

const { probe } = commonSettings.shape;
/** Only the driver itself knows the type of its section. */
const sections: Record<never, z.ZodType> = Object.fromEntries(
  DRIVERS.map(({ runtime, settings }) => [runtime, settings.prefault({})]),
);

export const configSchema = commonSettings.extend({
  probe: probe.unwrap().extend(sections).prefault({}),
});
