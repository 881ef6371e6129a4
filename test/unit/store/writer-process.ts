/**
 * Bundled and run as a process of its own by the tests: `node <bundle> <keys file> <schemas folder> <count> <padding>`.
 */
import { writeSync } from 'node:fs';
import { emptySchema } from '../../../src/model/app-schema.ts';
import { KeyStore } from '../../../src/store/key-store.ts';
import { SchemaRegistry } from '../../../src/store/schema-registry.ts';

const [keysFile = '', schemasDir = '', count = '0', paddingBytes = '0'] = process.argv.slice(2);
const complain = (fields: object, message: string) => void writeSync(2, `${message} ${JSON.stringify(fields)}\n`);
const logger = { debug: () => {}, info: () => {}, warn: complain, error: complain };
const store = new KeyStore({ file: keysFile, logger });
const registry = new SchemaRegistry({ dir: schemasDir, logger });
// Large enough that a good part of the time goes into the write itself, where a kill would tear the file.
const padding = 'x'.repeat(Number(paddingBytes));

for (let i = 0; i < Number(count); i++) {
  const { record } = await store.create(`written ${i}`);
  // Synchronous, so that a key is reported if and only if the line is out before the kill.
  writeSync(1, `${record.id}\n`);
  registry.save(emptySchema('shop-00000001', padding));
  await registry.flush();
}
