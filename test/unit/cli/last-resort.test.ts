import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { installLastResort } from '../../../src/cli/last-resort.ts';

function install() {
  const events = new EventEmitter();
  const logged: string[] = [];
  const exits: number[] = [];
  installLastResort(events, { error: (_, message = '') => void logged.push(message) }, (code) => void exits.push(code));
  return { events, logged, exits };
}

describe('the last resort', () => {
  it('logs what nobody caught, and goes on', () => {
    const { events, logged, exits } = install();
    events.emit('uncaughtException', new Error('odd'));
    events.emit('unhandledRejection', 'no error at all');
    expect(logged).toHaveLength(2);
    expect(exits).toEqual([]);
  });

  it('ends when there is no end of them', () => {
    const { events, exits } = install();
    for (let fault = 0; fault < 100; fault++) events.emit('unhandledRejection', fault);
    expect(exits).toEqual([1]);
  });
});
