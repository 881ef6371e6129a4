import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepCompiledCode } from '../../../src/cli/compiled-code.ts';

let base: string;
let data: string;
let given: string[];
const enable = (folder: string) => given.push(folder);

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'compiled-')));
  data = path.join(base, 'substrate');
  given = [];
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

it('keeps compiled code in the data folder, for this user alone, and that of other versions no longer', () => {
  fs.mkdirSync(path.join(data, 'compiled/0.0.1/v1'), { recursive: true });
  keepCompiledCode({ XDG_DATA_HOME: base }, enable);
  const [folder = ''] = given;
  expect(path.dirname(folder)).toBe(path.join(data, 'compiled'));
  expect(fs.readdirSync(path.dirname(folder))).toEqual([path.basename(folder)]);
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  keepCompiledCode({ XDG_DATA_HOME: base }, enable);
  expect(given).toEqual([folder, folder]);
});

it('makes no data folder: whoever keeps the data elsewhere finds nothing here', () => {
  keepCompiledCode({ XDG_DATA_HOME: base }, enable);
  expect(given).toEqual([]);
  expect(fs.readdirSync(base)).toEqual([]);
});

it('runs no code that another user could have put there', () => {
  fs.mkdirSync(data, { mode: 0o700 });
  fs.chmodSync(data, 0o770);
  keepCompiledCode({ XDG_DATA_HOME: base }, enable);
  fs.chmodSync(data, 0o700);
  fs.chmodSync(base, 0o777);
  keepCompiledCode({ XDG_DATA_HOME: base }, enable);
  expect(given).toEqual([]);
  expect(fs.readdirSync(data)).toEqual([]);
});

it('follows no link to another folder', () => {
  fs.mkdirSync(data, { mode: 0o700 });
  fs.mkdirSync(path.join(base, 'elsewhere'));
  fs.symlinkSync('../elsewhere', path.join(data, 'compiled'));
  keepCompiledCode({ XDG_DATA_HOME: base }, enable);
  expect(given).toEqual([]);
});

it('goes on where nothing can be kept', () => {
  fs.mkdirSync(data, { mode: 0o700 });
  fs.writeFileSync(path.join(data, 'compiled'), '');
  keepCompiledCode({ XDG_DATA_HOME: base }, enable);
  expect(given).toEqual([]);
  fs.rmSync(path.join(data, 'compiled'));
  const refuse = () => {
    throw new Error('no room');
  };
  expect(() => keepCompiledCode({ XDG_DATA_HOME: base }, refuse)).not.toThrow();
  expect(() => keepCompiledCode({ XDG_DATA_HOME: base }, undefined)).not.toThrow();
});
