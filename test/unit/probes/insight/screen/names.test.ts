import { describe, expect, it } from 'vitest';
import { nameFromCode, withoutKeys } from '../../../../../src/probes/insight/screen/names.ts';
import { toName, toValue } from '../../../../../src/probes/insight/screen/words.ts';

describe('names', () => {
  it.each([
    ['Recipient’s e-mail *', 'recipients_e_mail'],
    ['customerName', 'customer_name'],
    ['HTTPServer', 'http_server'],
    ['Straße und Größe', 'straße_und_große'],
    ['3 items', '_3_items'],
    ['iPhone case', 'iphone_case'],
    ['***', ''],
    ['one two three four five six seven', 'one_two_three_four_five_six'],
    ['a'.repeat(60), 'a'.repeat(40)],
  ])('of the text %s', (text, name) => {
    expect(toName(text)).toBe(name);
  });

  it.each([
    ['txtAmount', 'amount'],
    ['amountField2', 'amount'],
    ['jTextField1', ''],
    ['fieldOfView', 'of'],
  ])('of the variable %s', (code, name) => {
    expect(nameFromCode(code, 'swing')).toBe(name);
  });

  it('of a variable depends on the toolkit', () => {
    expect(nameFromCode('dgvOrders', 'forms')).toBe('orders');
    expect(nameFromCode('dgvOrders', 'swing')).toBe('dgv_orders');
  });

  it.each([
    ['42', 42],
    ['-0.5', -0.5],
    ['007', '007'],
    ['5.', '5.'],
    ['1234567890123456', '1234567890123456'],
    ['1,000', 1000],
    ['1,00', '1,00'],
    ['-0', 0],
  ])('leave the value %s', (text, value) => {
    expect(toValue(text)).toBe(value);
  });

  it('leave out the keys of a tip', () => {
    expect(withoutKeys('Cut (Ctrl+X)')).toBe('Cut');
    expect(withoutKeys('(Ctrl+X)')).toBe('(Ctrl+X)');
    expect(withoutKeys(undefined)).toBeUndefined();
  });
});
