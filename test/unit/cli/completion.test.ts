import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionOf } from '../../../src/cli/completion/candidates.ts';
import { completionScript, SHELLS } from '../../../src/cli/completion/scripts.ts';
import { unquoted } from '../../../src/cli/completion/unquoted.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { createTerminal } from '../../../src/cli/terminal.ts';

describe('completion', () => {
  const nowhere = { write: () => {} };
  const program = createProgram({ env: {}, homeDir: '/', terminal: createTerminal(nowhere, nowhere, {}) });
  const offered = (...words: string[]) => {
    const { candidates } = completionOf(program, words);
    return candidates.map(({ value }) => value).filter((value) => value.startsWith(words.at(-1) ?? ''));
  };

  it('knows commands, options and choices', () => {
    expect(offered('s')).toEqual(['service', 'serve', 'state', 'schema']);
    expect(offered('keys', 'e')).toEqual(['enable']);
    expect(offered('state', '--f')).toEqual(['--fresh', '--flat']);
    expect(offered('learn', 'a', 'b', 'c', '--type', 'n')).toEqual(['number']);
  });

  it('knows what to ask the daemon for', () => {
    expect(completionOf(program, ['state', '']).wanted).toEqual({ kind: 'apps' });
    expect(completionOf(program, ['action', 'my shop', '']).wanted).toEqual({ kind: 'actions', app: 'my shop' });
    expect(completionOf(program, ['action', '--fresh', 'shop', 'cart.add', 'name=tea', '']).wanted).toEqual({
      kind: 'parameters',
      app: 'shop',
      action: 'cart.add',
      given: ['name=tea'],
    });
    expect(completionOf(program, ['schema', 'import', '']).wanted).toEqual({ kind: 'files' });
  });

  it('asks the daemon of the configuration that its script was made with', () => {
    const odd = "/a b/it's $(x)\\.toml";
    for (const shell of SHELLS) {
      expect(completionScript(shell, null)).toMatch(/ __complete(?: --quoted)? -- /);
      expect(completionScript(shell, odd)).toContain(` --config '/a b/it'\\''s $(x)'\\\\'.toml' -- `);
    }
    const [, word = ''] = / --config (.*) -- /.exec(completionScript('bash', odd)) ?? [];
    expect(spawnSync('bash', ['--norc', '-c', `printf %s ${word}`], { encoding: 'utf8' }).stdout).toBe(odd);
  });

  it.each([
    ['shop', 'shop'],
    ['my\\ shop', 'my shop'],
    ['"my \\"odd\\" shop"', 'my "odd" shop'],
    ["'it is'\\'s", "it is's"],
    ['"unfinished', '"unfinished'],
  ])('reads %s as it was meant', (typed, meant) => {
    expect(unquoted(typed)).toBe(meant);
  });
});
