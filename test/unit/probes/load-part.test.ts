import { expect, it } from 'vitest';
import { AttachError } from '../../../src/probes/probe.ts';
import { loadPart } from '../../../src/probes/support/load-part.ts';

it('says what to do where an update has replaced the files of a part', async () => {
  expect(await loadPart(() => Promise.resolve(7))).toBe(7);
  const gone = loadPart(() => import(`${import.meta.dirname}/no-such-part.js`));
  await expect(gone).rejects.toThrow(AttachError);
  await expect(gone).rejects.toMatchObject({ retry: true, remedy: expect.stringContaining('substrate up') });
});
