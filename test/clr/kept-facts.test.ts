import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { keptFactsContract } from '../contract/kept-facts-contract.ts';
import { here, startDotnet } from '../support/dotnet.ts';

const driver = createClrDriver(clr.settings.parse({}));

for (const runtime of here('mono', 'net9')) keptFactsContract(runtime, driver, () => startDotnet(runtime, 'shop'));
