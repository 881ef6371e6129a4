import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { graphContract } from '../contract/graph-contract.ts';
import { DOTNET, startDotnet } from '../support/dotnet.ts';

const driver = createClrDriver(clr.settings.parse({}));

for (const runtime of ['mono', DOTNET] as const)
  graphContract(runtime, {
    driver,
    start: () => startDotnet(runtime, 'graph'),
    differences: [],
    sharesRoom: true,
  });
