import { describe, expect, it } from 'vitest';
import { Changes } from '../../../../../src/probes/drivers/v8/page/state/changes.ts';
import { asRedux } from '../../../../../src/probes/drivers/v8/page/state/stores/redux.ts';

const found = (subscribe: (notify: () => void) => () => void) => ({
  kind: 'redux',
  id: '',
  wanted: '',
  origin: 'Redux store',
  identity: subscribe,
  stable: true,
  mangled: false,
  read: () => 0,
  subscribe,
});

describe('the wait for a change', () => {
  it('is one for all who ask', async () => {
    let notify = (): void => undefined;
    let subscriptions = 0;
    const store = found((listener) => {
      subscriptions++;
      notify = listener;
      return () => undefined;
    });
    const changes = new Changes(
      () => [store],
      () => 0,
    );
    const first = changes.next();
    expect(changes.next()).toBe(first);
    expect(subscriptions).toBe(1);
    notify();
    await expect(first).resolves.toBeUndefined();
  });

  it('ends when nobody listens any more', async () => {
    const changes = new Changes(
      () => [],
      () => 0,
    );
    const pending = changes.next();
    changes.stop();
    await expect(pending).resolves.toBeUndefined();
    expect(changes.next()).not.toBe(pending);
  });
});

describe('a store of Redux', () => {
  it('is told of actions whatever its state is', () => {
    const actions: unknown[] = [];
    const store = {
      getState: () => 0,
      dispatch: (action: unknown) => actions.push(action),
      subscribe: () => () => undefined,
      replaceReducer: () => undefined,
    };
    const [dispatch] = asRedux(store)?.methods?.() ?? [];
    dispatch?.fn('counter/incremented');
    expect(actions).toEqual([{ type: 'counter/incremented' }]);
  });
});
