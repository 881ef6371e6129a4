import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { keptFactsContract } from '../contract/kept-facts-contract.ts';
import { SHOP, startJava } from '../support/java.ts';

keptFactsContract('a Java program', createJvmDriver(jvm.settings.parse({})), () => startJava(SHOP));
