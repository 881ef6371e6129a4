import { describe, expect, it } from 'vitest';
import { makeAppId } from '../../../src/semantic/app-id.ts';

describe('makeAppId', () => {
  it.each([
    ['Web Shop', /^web-shop-[0-9a-f]{8}$/],
    ['@acme/desk', /^acme-desk-[0-9a-f]{8}$/],
    ['Größe', /^gro-e-[0-9a-f]{8}$/],
    ['日本', /^app-[0-9a-f]{8}$/],
    ['', /^app-[0-9a-f]{8}$/],
    ['---', /^app-[0-9a-f]{8}$/],
    ['x'.repeat(100), /^x{40}-[0-9a-f]{8}$/],
    [`${'x'.repeat(39)} y`, /^x{39}-[0-9a-f]{8}$/],
  ])('%j', (name, pattern) => {
    expect(makeAppId(name, 'id')).toMatch(pattern);
  });

  it('depends on the identity, and is for ever the same: files on disk are named by it', () => {
    expect(makeAppId('shop', 'node:/a')).toBe('shop-d2099936');
    expect(makeAppId('shop', 'node:/b')).toBe('shop-7ec6f919');
  });
});
