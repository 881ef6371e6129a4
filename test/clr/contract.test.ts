import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { probeContract } from '../contract/probe-contract.ts';
import { CLRS, startDotnet } from '../support/dotnet.ts';

const driver = createClrDriver(clr.settings.parse({}));

for (const clr of CLRS) {
  probeContract(clr, {
    driver,
    start: () => startDotnet(clr, 'shop'),
    known: ['Counter.Shop.Name', 'Corner Café'],
    action: { name: 'Counter.Shop.Serve', args: { drink: 'espresso' }, changes: 'Counter.Shop.Served' },
    failingAction: { name: 'Counter.Shop.Serve', args: { drink: 'mud' }, message: 'we have no mud' },
  });
}
