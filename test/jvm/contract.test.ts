import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { probeContract } from '../contract/probe-contract.ts';
import { jdks, SHOP, startJava } from '../support/java.ts';

const driver = createJvmDriver(jvm.settings.parse({}));

for (const { version } of jdks()) {
  probeContract(`Java ${version}`, {
    driver,
    start: () => startJava(SHOP, { jdk: version }),
    known: ['shop.name', 'Corner Café'],
    action: { name: 'shop.serve', args: { drink: 'espresso' }, changes: 'shop.served' },
    failingAction: { name: 'shop.serve', args: { drink: 'mud' }, message: 'we have no mud' },
  });
}
