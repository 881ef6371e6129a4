import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureAsJson, failureOf, NotFoundError } from '../../../src/cli/failures.ts';
import { keygen } from '../../../src/cli/keygen.ts';
import { Spinner } from '../../../src/cli/spinner.ts';
import { createTerminal, harmlessJson, type Stream, wrapped } from '../../../src/cli/terminal.ts';
import { ConnectionError, SubstrateError } from '../../../src/client/index.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { everyCommand } from '../../support/command-tree.ts';

describe('every command', () => {
  const docs = fs.readFileSync(path.resolve(import.meta.dirname, '../../../docs/cli.md'), 'utf8');

  it.each([...everyCommand()])('%s has examples, and is documented', (name, command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => { help += text; } }).outputHelp(); // biome-ignore format: short
    expect(help.split('\nExamples:\n')[1]).toContain(`substrate ${name}`);
    expect(docs).toContain(`\`${name}`);
  });
});

it.each([...everyCommand({ hidden: true })])('%s understands --config', (_, command) => {
  expect(command.options.map(({ flags }) => flags)).toContain('--config <file>');
});

describe('a failure for programs', () => {
  it('has the code of the daemon, or else what the exit code means', () => {
    expect(failureAsJson(new NotFoundError('gone', null))).toEqual({
      error: { code: 'not_found', exit_code: 4, message: 'gone', hint: null },
    });
    const refused = new SubstrateError(404, {
      error: { code: 'unknown_action', message: 'no', request_id: 'r' },
    });
    expect(failureAsJson(refused)).toMatchObject({ error: { code: 'unknown_action', exit_code: 4, message: 'no' } });
  });

  it('says of a config file that is not there what it says of everything else that is not', async () => {
    const absent = keygen({ configFile: '/nowhere/c.toml', env: {}, homeDir: '/nowhere', stdout() {}, stderr() {} });
    expect(failureAsJson(await absent.catch((error: unknown) => error))).toEqual({
      error: {
        code: 'not_found',
        exit_code: 4,
        message: '/nowhere/c.toml: there is no such config file',
        hint: null,
      },
    });
  });
});

it.each([
  [
    'a disk that is read-only',
    Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'mkdir' }),
    /XDG_DATA_HOME/,
  ],
  ['a disk that is full', Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }), /XDG_DATA_HOME/],
  ['a file of another user', new StoreError('keys.json belongs to another user'), /substrate doctor/],
  ['another server at its port', new ConnectionError('http://127.0.0.1:7842 did not answer with JSON.'), /doctor/],
])('%s has a way out', (_, error, hint) => {
  expect(failureOf(error).hint).toMatch(hint);
});

it('a program that takes connections and says nothing is not waited for', () => {
  expect(failureOf(new DOMException('', 'TimeoutError'))).toMatchObject({
    code: 7,
    hint: 'substrate doctor shows which program it is.',
  });
});

describe('where a command writes', () => {
  const stream = (isTTY: boolean) => {
    const written: string[] = [];
    return { isTTY, write: (text: string) => written.push(text), written } satisfies Stream & { written: string[] };
  };

  it('colours are only where a terminal shows them', () => {
    const [out, note] = [stream(true), stream(false)];
    const terminal = createTerminal(out, note, {});
    terminal.out(terminal.paint('red', 'a'));
    terminal.note(terminal.paint('red', 'a'));
    expect(out.written).toEqual(['\x1b[31ma\x1b[0m\n']);
    expect(note.written).toEqual(['a\n']);
  });

  it('nothing is drawn over on a terminal that cannot', () => {
    const note = stream(true);
    const spinner = new Spinner(createTerminal(stream(true), note, { TERM: 'dumb' }));
    spinner.say('waiting');
    spinner.stop();
    expect(note.written).toEqual(['waiting\n']);
  });

  it('JSON is the same value, and steers no terminal', () => {
    const value = { a: '\x1b[2J\x9b31m\x7f\u202e\u2028\u{e0001}ä漢😀' };
    const text = harmlessJson(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text).toContain('ä漢😀');
  });

  it('sentences are broken between words', () => {
    expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapped('one two', Number.POSITIVE_INFINITY)).toEqual(['one two']);
    expect(wrapped('unbreakable', 4)).toEqual(['unbreakable']);
  });
});
