import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ScriptOwners } from '../../../../src/probes/drivers/v8/node/agent/scripts.ts';
import { productOf } from '../../../../src/probes/drivers/v8/node/product.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'product-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function install(place: string, content: unknown): void {
  const at = path.join(folder, 'node_modules', place);
  fs.mkdirSync(at, { recursive: true });
  fs.writeFileSync(
    path.join(at, 'package.json'),
    typeof content === 'string' ? content : JSON.stringify({ name: place, ...(content as object) }),
  );
}

const main = path.join(folder, 'node_modules/quay-server/bin/cli.js');
const inFolder = (file: string) => file;

install('quay-server', {
  repository: { type: 'git', url: 'git+https://github.com/QuayJS/quay-server.git' },
  dependencies: { quay: '1', 'quay-berths': '1', pilot: '1', 'quay-tug': '1', 'quay-log': '1', '@quay/table': '1' },
});
install('quay', { repository: 'quayjs/quay' });
install('quay-server/node_modules/quay-berths', { repository: 'git@github.com:quayjs/berths.git' });
install('quay-berths', { repository: 'github:others/berths' });
// By the same makers, but no part of the product.
install('pilot', { repository: 'quayjs/pilot' });
install('quay-tug', { repository: 'gitlab:quayjs/tug' });
install('quay-log', '{ no JSON');
install('adrift', {});
install('@quay/table', { repository: { url: 'https://github.com/quayjs/tables' } });

it('counts dependencies of the same makers that are called like them to the program', () => {
  expect(productOf(main, inFolder)).toEqual(['quay', 'quay-berths', '@quay/table']);
  const owners = new ScriptOwners(main, ['quay']);
  const ownerOf = (file: string) =>
    owners.ownerOf({ id: '1', url: path.join(folder, 'node_modules', file), minified: false });
  expect(ownerOf('quay/index.js')).toBe('app');
  expect(ownerOf('pilot/index.js')).toBe('library');
});

it('says nothing of a program that is no installed package, or of makers that are not named', () => {
  expect(productOf(path.join(folder, 'server.js'), inFolder)).toEqual([]);
  expect(productOf(path.join(folder, 'node_modules/adrift/cli.js'), inFolder)).toEqual([]);
  expect(productOf('', inFolder)).toEqual([]);
});

it('counts what a command is the command of, and the parts of that', () => {
  install('tide-cli', { repository: 'moonjs/tide-cli', dependencies: { tide: '1', 'tide-table': '1' } });
  install('tide', { repository: 'moonjs/tide', dependencies: { 'tide-store': '1', moon: '1', gauge: '1' } });
  install('tide-store', { repository: 'moonjs/tide-store', dependencies: { tide: '1' } });
  install('tide-table', { repository: 'others/tide-table' });
  install('moon', { repository: 'moonjs/moon' });
  install('gauge', { repository: 'moonjs/gauge' });
  const parts = productOf(path.join(folder, 'node_modules/tide-cli/bin/tide.js'), inFolder);
  expect(parts.sort()).toEqual(['moon', 'tide', 'tide-store']);
});
