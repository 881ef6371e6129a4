import { describe, expect, it } from 'vitest';
import { makeAppId } from '../../../src/semantic/app-id.ts';

describe('makeAppId', () => {
  it.each([
    ['Web Shop', /^web-shop-[0-9a-f]{16}$/],
    ['@acme/desk', /^acme-desk-[0-9a-f]{16}$/],
    ['Größe', /^gro-e-[0-9a-f]{16}$/],
    ['日本', /^app-[0-9a-f]{16}$/],
    ['', /^app-[0-9a-f]{16}$/],
    ['---', /^app-[0-9a-f]{16}$/],
    ['x'.repeat(100), /^x{40}-[0-9a-f]{16}$/],
    [`${'x'.repeat(39)} y`, /^x{39}-[0-9a-f]{16}$/],
  ])('%j', (name, pattern) => {
    expect(makeAppId(name, 'id', 1000)).toMatch(pattern);
  });

  it('depends on the identity and the user, and is for ever the same: files on disk are named by it', () => {
    expect(makeAppId('shop', 'node:/a', 1000)).toBe('shop-1640f682f231914b');
    expect(makeAppId('shop', 'node:/b', 1000)).not.toBe(makeAppId('shop', 'node:/a', 1000));
    expect(makeAppId('shop', 'node:/a', 1001)).not.toBe(makeAppId('shop', 'node:/a', 1000));
  });
});
