import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { graphContract } from '../contract/graph-contract.ts';
import { startJava } from '../support/java.ts';

graphContract('Java', {
  driver: createJvmDriver(jvm.settings.parse({})),
  start: () => startJava({ target: 'graph', main: 'com.example.graph.Program' }),
  differences: [],
  sharesRoom: true,
});
