import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAsarFile } from '../../../../src/probes/drivers/v8/electron/asar.ts';
import { identifyElectron } from '../../../../src/probes/drivers/v8/electron/electron-identity.ts';
import { identifyNw } from '../../../../src/probes/drivers/v8/electron/nw-identity.ts';

let root = '';

function write(file: string, content: string | Buffer | object = ''): string {
  const full = path.join(root, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return full;
}

/** The layout of Electron's own packer. */
function asar(files: Record<string, string>, change: (header: Record<string, unknown>) => void = () => {}): Buffer {
  const header: Record<string, unknown> = {};
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    header[name] = { size: Buffer.byteLength(content), offset: String(offset) };
    offset += Buffer.byteLength(content);
  }
  change(header);
  const json = Buffer.from(JSON.stringify({ files: header }));
  const padded = Math.ceil(json.length / 4) * 4;
  const prefix = Buffer.alloc(16);
  for (const [at, value] of [4, padded + 8, padded + 4, json.length].entries()) prefix.writeUInt32LE(value, at * 4);
  return Buffer.concat([prefix, json, Buffer.alloc(padded - json.length), Buffer.from(Object.values(files).join(''))]);
}

beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'electron-identity-')));
  const description = JSON.stringify({ name: 'acme-mail', productName: 'Acme Mail', main: 'x.js' });
  write('mail/resources/app.asar', asar({ 'x.js': 'code', 'package.json': description }));
  write('mail/mail');
  write('open/resources/app/package.json', { name: 'open-app' });
  write('broken/resources/app.asar', 'this is no archive');
  write('plain/resources/default_app.asar', '');
  write('dev/package.json', { name: 'dev-app', productName: 'Dev App', main: 'main.js' });
  write('dev/main.js');
  write('nameless/main.js');
  write('Mac.app/Contents/Resources/app.asar', asar({ 'package.json': JSON.stringify({ productName: 'Mac Mail' }) }));
  write('nwapp/package.json', { name: 'nw-shop', main: 'index.html' });
  write('nwpacked/package.nw', 'zip');
});

afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const processOf = (exe: string, argv: string[] = []) => ({
  pid: 7,
  ppid: 1,
  uid: 0,
  startTime: '1',
  name: 'x',
  exe,
  argv: [exe, ...argv],
  cwd: root,
});

describe('the identity of an Electron app', () => {
  it.each<[string, string, string[], string, string]>([
    ['an archive', 'mail/mail', [], 'Acme Mail', 'mail/resources/app.asar'],
    ['an archive, with a file to open', 'mail/mail', ['letter.eml'], 'Acme Mail', 'mail/resources/app.asar'],
    ['a folder', 'open/open', ['--flag'], 'open-app', 'open/resources/app'],
    ['an archive that cannot be read', 'broken/broken', [], 'broken', 'broken/resources/app.asar'],
    ['a folder given to Electron', 'plain/electron', ['dev'], 'Dev App', 'dev'],
    ['a relative folder behind options', 'plain/electron', ['--inspect=0', '-r', 'x', './dev'], 'Dev App', 'dev'],
    ['a script given to Electron', 'plain/electron', ['dev/main.js'], 'Dev App', 'dev/main.js'],
    ['a script without a package', 'plain/electron', ['nameless/main.js'], 'electron', 'nameless/main.js'],
    [
      'an archive given to Electron',
      'plain/electron',
      ['mail/resources/app.asar'],
      'Acme Mail',
      'mail/resources/app.asar',
    ],
    ['nothing given to Electron', 'plain/electron', [], 'electron', 'plain/electron'],
    ['macOS', 'Mac.app/Contents/MacOS/Mail', [], 'Mac Mail', 'Mac.app/Contents/Resources/app.asar'],
    ['a file that was replaced', 'mail/mail (deleted)', [], 'Acme Mail', 'mail/resources/app.asar'],
  ])('%s', (_, exe, argv, appName, app) => {
    expect(identifyElectron(processOf(path.join(root, exe), argv), (file) => file)).toEqual({
      appName,
      identity: `electron:${path.join(root, app)}`,
    });
  });

  it('is the same wherever an AppImage is mounted', () => {
    const seen = ['AcmeMaAbCdEf', 'AcmeMaXyZ123'].map((folder) =>
      identifyElectron(processOf(`/tmp/.mount_${folder}/mail`), (file) =>
        file.replace(/^\/tmp\/\.mount_[^/]+/, path.join(root, 'mail')),
      ),
    );
    expect(seen[0]).toEqual({ appName: 'Acme Mail', identity: 'electron:Acme Mail.AppImage/resources/app.asar' });
    expect(seen[1]).toEqual(seen[0]);
  });
});

describe('reading an archive', () => {
  const read = (name: string, content: Buffer) => readAsarFile(write(name, content), 'package.json');

  it('gives the file', () => {
    expect(read('good.asar', asar({ a: 'xxx', 'package.json': '{"ü":1}', b: 'y' }))).toBe('{"ü":1}');
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no header', Buffer.from([4, 0, 0, 0])],
    ['a forged length', Buffer.from([4, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 127])],
    ['no such file', asar({ other: 'x' })],
    [
      'a file that is too large',
      asar({ 'package.json': '{}' }, (files) =>
        Object.assign(files, { 'package.json': { size: 2 ** 40, offset: '0' } }),
      ),
    ],
    [
      'an offset behind the end',
      asar({ 'package.json': '{}' }, (files) => Object.assign(files, { 'package.json': { size: 2, offset: '99999' } })),
    ],
    ['a folder in its place', asar({}, (files) => Object.assign(files, { 'package.json': { files: {} } }))],
  ])('is null for %s', (name, content) => {
    expect(read(`bad-${name.replaceAll(' ', '-')}.asar`, content)).toBeNull();
  });

  it('is null where there is none', () => {
    expect(readAsarFile(path.join(root, 'none.asar'), 'package.json')).toBeNull();
  });
});

describe('the identity of an NW.js app', () => {
  it.each<[string, string, string[], string, string]>([
    ['a folder', 'sdk/nw', ['--remote-debugging-port=0', 'nwapp'], 'nw-shop', 'nwapp'],
    ['an archive', 'sdk/nw', ['shop.nw'], 'shop', 'shop.nw'],
    ['packed beside it', 'nwpacked/shop', [], 'shop', 'nwpacked/package.nw'],
    ['unpacked beside it', 'nwapp/nw', [], 'nw-shop', 'nwapp'],
    ['nothing', 'sdk/nw', [], 'nw', 'sdk/nw'],
  ])('%s', (_, exe, argv, appName, app) => {
    const identity = identifyNw(processOf(path.join(root, exe), argv), (file) => file);
    expect(identity.identity).toBe(`nw:${path.join(root, app)}`);
    expect(identity.appName).toBe(appName);
  });
});

it('is what Electron itself says that it runs, also when its title and its folder are other ones by now', () => {
  const said = (argv: string[], folder: string | null, exe = 'plain/electron') =>
    identifyElectron({ ...processOf(path.join(root, exe)), argv: ['one title'], cwd: '/' }, (file) => file, {
      main: folder === null ? null : path.join(root, folder),
      argv: ['electron', ...argv],
      execArgv: [],
    });
  expect(said(['.'], 'dev')).toEqual({ appName: 'Dev App', identity: `electron:${root}/dev` });
  expect(said([`${root}/dev`], 'dev')).toEqual({ appName: 'Dev App', identity: `electron:${root}/dev` });
  expect(said(['--flag', 'main.js'], 'dev').identity).toBe(`electron:${root}/dev/main.js`);
  expect(said([], 'dev').identity).toBe(`electron:${root}/dev`);
  expect(said([], null).identity).toBe(`electron:${root}/plain/electron`);
  // It runs its packed app.
  expect(said(['.'], 'dev', 'mail/mail').appName).toBe('Acme Mail');
});
