/** A call that ends the program never counts as reversible, whatever the name of the surrounding method. */
import { describe, expect, it } from 'vitest';
import { CLR } from '../../../../src/probes/drivers/clr/clr-platform.ts';
import { JAVA } from '../../../../src/probes/drivers/jvm/java-platform.ts';
import { readFunction } from '../../../../src/probes/drivers/v8/js/js-source.ts';
import type { MemberFacts } from '../../../../src/probes/insight/effects/code-facts.ts';
import type { Platform } from '../../../../src/probes/insight/effects/platform.ts';
import { LEVEL } from '../../../../src/probes/insight/effects/value-origin.ts';
import { judgeReversibility } from '../../../../src/semantic/reversibility.ts';

const member = (owner: string, name: string, descriptor: string): MemberFacts => ({
  ...{ id: 1, owner, name, descriptor, isStatic: true, isPlatform: true, isVoid: true },
  ...{ type: null, handled: [], runs: null, gives: null, meets: [], isOpen: false, traits: [], parameters: [] },
  ...{ targets: [], inherited: [], initialisers: [] },
});

describe('in code', () => {
  it.each<[string, string, string, Platform]>([
    ['java/lang/System', 'exit', '(I)V', JAVA],
    ['java/lang/Runtime', 'exit', '(I)V', JAVA],
    ['java/lang/Runtime', 'halt', '(I)V', JAVA],
    ['javafx/application/Platform', 'exit', '()V', JAVA],
    ['java/awt/Window', 'dispose', '()V', JAVA],
    ['System.Environment', 'Exit', '', CLR],
    ['System.Environment', 'FailFast', '', CLR],
    ['System.Windows.Forms.Application', 'Exit', '', CLR],
    ['System.Windows.Forms.Form', 'Close', '', CLR],
    ['Gtk.Application', 'Quit', '', CLR],
  ])('%s.%s is not known to be harmless', (owner, name, descriptor, platform) => {
    for (const receiver of ['this', 'part', 'fresh', 'other'] as const) {
      const call = { member: member(owner, name, descriptor), receiver, arguments: ['constant' as const] };
      expect(platform.levelOf(call, [])).toBe(LEVEL.unknown);
    }
  });

  it.each([
    'process.exit(0)',
    'process.abort()',
    'process.kill(process.pid)',
    'window.close()',
    'app.quit()',
    'Deno.exit()',
  ])('%s', (call) => {
    expect(readFunction(`toggle() { this.done = true; ${call}; }`).effect).toBe('unknown');
  });
});

describe('by its name', () => {
  it.each(['exit', 'quit', 'app.quit', 'file.exit', 'file.quit_desk', 'shutdown', 'terminate_now'])('%s', (name) => {
    const base = { binding: name, name, parameters: [], returns: 'void', description: '' } as const;
    for (const effect of ['control', 'unknown', 'unjudged'] as const)
      expect(judgeReversibility({ ...base, effect }, new Set())).toBe('irreversible_write');
  });
});
