/** A program is not attached to in its first moments: the daemon would wait, or try again, and so does this. */
import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { AttachError } from '../../src/probes/probe.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

const driver = createClrDriver(clr.settings.parse({}));

export function attachWhenStarted({ info }: Target): Promise<ProbedApp> {
  return until('the program to be attached to', () =>
    ProbedApp.attach(driver, info).catch((error: unknown) => {
      if (error instanceof AttachError) return null;
      throw error;
    }),
  );
}
