import { describe, expect, it } from 'vitest';
import { DIRECTIVE, spareSecondCompiler } from '../../../../src/probes/drivers/jvm/compiler-directive.ts';

/** A JVM with these directives, and its requests. */
function vmWith(directives: string) {
  const asked: string[] = [];
  const command = (_name: string, argument: string) => {
    asked.push(argument);
    return Promise.resolve({ status: 0, text: argument === 'Compiler.directives_print' ? directives : '' });
  };
  return { asked, hotSpot: { command } };
}

describe('the directive that keeps the second compiler away', () => {
  it('names nothing but the agent', () => {
    expect(DIRECTIVE.toString()).toBe('[{ match: ["substrate/agent/*.*"], c2: { Exclude: true } }]');
  });

  it('is given once', async () => {
    const { asked, hotSpot } = vmWith('Directive: (default)\n matching: *.*\n');
    await spareSecondCompiler(hotSpot, 17, '/tmp/agent');
    expect(asked).toEqual(['Compiler.directives_print', 'Compiler.directives_add /tmp/agent/compiler.json']);
    const again = vmWith('Directive:\n matching: substrate/agent/*.*\n');
    await spareSecondCompiler(again.hotSpot, 17, '/tmp/agent');
    expect(again.asked).toEqual(['Compiler.directives_print']);
  });

  it('is not given to a version that might write about it', async () => {
    const { asked, hotSpot } = vmWith('');
    await spareSecondCompiler(hotSpot, 11, '/tmp/agent');
    expect(asked).toEqual([]);
  });
});
