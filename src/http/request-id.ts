import { randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** Random numbers are generated in blocks: generating one per id takes longer than most of a cached read. */
const pool = new Uint32Array(1024);
let used = pool.length;

const generator = new V7Generator({
  nextUint32() {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    return pool[used++] ?? 0;
  },
});

export function requestId(): string {
  return generator.generate().toString();
}
