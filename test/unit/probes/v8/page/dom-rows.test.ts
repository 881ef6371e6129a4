import { describe, expect, it } from 'vitest';
import { commonName } from '../../../../../src/probes/drivers/v8/page/dom/lists/alike-rows.ts';

describe('one name for the controls of many rows', () => {
  it.each([
    [['mark_milk_as_read', 'mark_green_tea_as_read', 'mark_x_as_read'], 'mark_as_read'],
    [['delete_milk', 'delete_bread'], 'delete'],
    [['milk_open', 'bread_open'], 'open'],
    [['edit', 'edit'], 'edit'],
    [['open_open', 'open'], 'open'],
    [['milk', 'bread'], 'press_item'],
  ])('%j are %s', (names, common) => {
    expect(commonName(names.map((base) => ({ role: 'button', base })))).toBe(common);
  });
});
