import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { installLastResort } from '../../../src/cli/last-resort.ts';

function install() {
  const events = new EventEmitter();
  const logged: string[] = [];
  const fields: object[] = [];
  const exits: number[] = [];
  installLastResort(
    events,
    {
      error(found, message) {
        logged.push(message);
        fields.push(found);
      },
    },
    (code) => void exits.push(code),
  );
  return { events, logged, fields, exits };
}

describe('the last resort', () => {
  it('logs what nobody caught, and goes on', () => {
    const { events, logged, exits } = install();
    events.emit('uncaughtException', new Error('odd'));
    events.emit('unhandledRejection', 'no error at all');
    expect(logged).toHaveLength(2);
    expect(exits).toEqual([]);
  });

  it('says where it came from, and nothing of what it says', () => {
    const { events, fields } = install();
    events.emit('uncaughtException', new TypeError('hunter2 is no number'));
    expect(JSON.stringify(fields)).toMatch(/TypeError at .*last-resort\.test/);
    expect(JSON.stringify(fields)).not.toContain('hunter2');
  });

  it('ends when there is no end of them', () => {
    const { events, exits } = install();
    for (let fault = 0; fault < 100; fault++) events.emit('unhandledRejection', fault);
    expect(exits).toEqual([1]);
  });
});
