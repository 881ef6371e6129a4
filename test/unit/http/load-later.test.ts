import { expect, it } from 'vitest';
import { loadLater } from '../../../src/http/load-later.ts';

it('says what to do when the program was replaced, and logs it once', async () => {
  const logged: string[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (_fields: object, message: string) => logged.push(message) };
  const gone = new URL('./replaced-by-an-update.js', import.meta.url).href;
  const load = loadLater(() => import(gone), log);
  for (let time = 0; time < 2; time++)
    await expect(load()).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('substrate down'),
    });
  expect(logged).toEqual([expect.stringContaining('substrate down && substrate up')]);
});
