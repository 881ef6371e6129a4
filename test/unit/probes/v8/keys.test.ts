import { describe, expect, it } from 'vitest';
import { strokeOf } from '../../../../src/probes/drivers/v8/browser/keys.ts';

describe('keys', () => {
  it.each([
    ['Enter', { key: 'Enter', code: 'Enter', text: '\r', modifiers: 0, windowsVirtualKeyCode: 13 }],
    ['F2', { key: 'F2', windowsVirtualKeyCode: 113 }],
    ['a', { key: 'a', code: 'KeyA', text: 'a', windowsVirtualKeyCode: 65 }],
    ['+', { key: '+', text: '+' }],
    ['Space', { key: ' ', text: ' ', windowsVirtualKeyCode: 32 }],
    ['Control+Shift+ArrowDown', { key: 'ArrowDown', modifiers: 10, windowsVirtualKeyCode: 40 }],
  ])('%s is one', (name, stroke) => {
    expect(strokeOf(name)).toMatchObject(stroke);
  });

  it('types nothing while Control is held', () => {
    expect(strokeOf('Control+s')).toMatchObject({ key: 's', modifiers: 2 });
    expect(strokeOf('Control+s')).not.toHaveProperty('text');
  });

  it.each(['', 'Nonsense', 'Hyper+a', 'ab'])('%s is none', (name) => {
    expect(strokeOf(name)).toBeNull();
  });
});
