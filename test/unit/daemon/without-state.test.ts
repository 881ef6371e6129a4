import { expect, it } from 'vitest';
import { withoutState, withoutStateInError } from '../../../src/daemon/without-state.ts';
import { SubstrateError } from '../../../src/model/errors.ts';
import { actionResult } from '../http/fake-service.ts';

const SECRET = 'value of the app';

it('leaves nothing of the app in the answer to an action', () => {
  const change = { path: 'cart.coupon', before: null, after: SECRET };
  const verification = {
    passed: false,
    expression: 'cart.coupon === "x"',
    computed_value: SECRET,
    explanation: `cart.coupon is ${SECRET}`,
    latency_ms: 1,
    poll_cycles: 1,
    changed_fields: [change],
  };
  const full = {
    ...actionResult({
      message: `it returned ${SECRET}`,
      verification,
      state_delta: { 'cart.coupon': { before: null, after: SECRET } },
      raw_return: SECRET,
    }),
    effect: { since: 'x', urlBefore: SECRET, changes: [{ key: 'cart.coupon', before: undefined, after: SECRET }] },
  };
  const bare = withoutState(full);
  expect(JSON.stringify(bare)).not.toContain(SECRET);
  expect(bare.updatedState).toBeNull();
  expect(bare.fields).toMatchObject({
    success: true,
    executed: true,
    verification: { passed: false, computed_value: null },
  });
});

it('leaves no values in the error of an action', () => {
  const error = new SubstrateError('state_changed', 'Changed: cart.coupon.', {
    extra: { action: 'a', executed: false, diff: { changed: [{ path: 'cart.coupon', before: 1, after: SECRET }] } },
  });
  expect(() => withoutStateInError(error)).toThrow(
    expect.objectContaining({ code: 'state_changed', extra: { action: 'a', executed: false, diff: null } }),
  );
});
