/** A capture of very many names is labelled in slices: the daemon does other things meanwhile, and shows none of it. */
import { expect, it } from 'vitest';
import { FakeProbe, fakeSession } from '../support/fake-probe.ts';

const many = () => Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`shop.orders["no. ${at}"].by`, at]));

/** Does something at every turn of the event loop until the work is done; gives how often. */
async function meanwhile(work: Promise<unknown>, look: () => void): Promise<number> {
  let turns = 0;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isOver) break;
    turns++;
    look();
  }
  await over;
  return turns;
}

async function attached() {
  const probe = new FakeProbe();
  const session = fakeSession();
  session.useProbe(probe);
  await session.refresh();
  return { probe, session };
}

it('shows the state of before until the whole of the next one is there', async () => {
  const { probe, session } = await attached();
  const before = session.head;
  probe.state = many();
  const turns = await meanwhile(session.refresh(), () => {
    expect([session.head, session.engine.table.size, session.look().keys.keys]).toEqual([before, 1, ['count']]);
    expect(session.stateBytes(true).join('')).toContain('"objects":{"count":1}');
  });
  expect(turns).toBeGreaterThan(2);
  expect(session.look().keys.keys).toHaveLength(20_000);
  expect(session.diff(before?.captureId ?? '')?.added).toHaveLength(20_000);
});

it('shows nothing any more of an app that ended meanwhile', async () => {
  const { probe, session } = await attached();
  probe.state = many();
  const refresh = session.refresh();
  let turns = 0;
  const over = meanwhile(refresh, () => {
    if (++turns === 2) session.end();
  });
  await expect(over).rejects.toThrow('replaced');
  expect([session.head, session.engine.table.size]).toEqual([null, 0]);
});
