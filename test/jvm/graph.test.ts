import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { graphContract } from '../contract/graph-contract.ts';
import { startJava } from '../support/java.ts';

graphContract('java', createJvmDriver(jvm.settings.parse({})), () =>
  startJava({ target: 'graph', main: 'com.example.graph.Program' }),
);
