import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { probeContract } from '../contract/probe-contract.ts';
import { startTarget } from '../support/targets.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });

probeContract('Node.js, CommonJS', {
  driver,
  start: () => startTarget('shop.cjs'),
  known: ['cart.items[0].name', 'apple'],
  action: { name: 'cart.addItem', args: { name: 'pear', price: 4 }, changes: 'cart.items.length' },
  failingAction: { name: 'cart.applyDiscount', args: { share: 7 }, message: 'share must be between 0 and 1' },
});

probeContract('Node.js, ES modules', {
  driver,
  start: () => startTarget('inbox.mjs'),
  known: ['inbox.emails[1].subject', 'Invoice'],
  action: { name: 'inbox.markRead', args: { index: 0 }, changes: 'unread' },
  failingAction: { name: 'inbox.markRead', args: { index: 99 }, message: 'TypeError' },
});
