/** The trace of each channel to an agent, and of parts of a probe that fail. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { AppTrace } from '../../../../src/daemon/app-trace.ts';
import type { ClrChannel } from '../../../../src/probes/drivers/clr/channel/channel.ts';
import { ClrProbe } from '../../../../src/probes/drivers/clr/clr-probe.ts';
import type { AgentFolder } from '../../../../src/probes/support/agent-files/agent-folder.ts';
import { encodeFrame } from '../../../../src/probes/support/framed/frame.ts';
import { FramedChannel } from '../../../../src/probes/support/framed/framed-channel.ts';

const LOG = { debug() {}, info() {}, warn() {}, error() {} };
type Request = { id: number; op: 'hello' | 'capture' };

function setUp() {
  const trace = new AppTrace({ pid: 1, appId: 'a-1', log: LOG });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const channel = new FramedChannel<Request>(input, output, trace);
  const steps = () => trace.read(0).steps;
  return { trace, input, channel, steps };
}

describe('a message to an agent', () => {
  it('is reported with its operation, number, bytes and time, never with what it says', async () => {
    const { trace, input, channel, steps } = setUp();
    const attach = trace.begin('attach');
    const answer = channel.call({ op: 'hello' }, AbortSignal.timeout(5000));
    input.write(encodeFrame('{"id":1,"result":{"name":"alice"}}'));
    await answer;
    attach.end();
    expect(steps()).toMatchObject([{ step: 'attach' }, { step: 'hello', depth: 1, id: 1, sent: 25, received: 34 }]);
    expect(JSON.stringify(steps())).not.toContain('alice');
    channel.abandon();
  });

  it('that is never answered is reported with the time that was waited', async () => {
    const { channel, steps } = setUp();
    await expect(channel.call({ op: 'hello' }, AbortSignal.timeout(20))).rejects.toThrow();
    expect(steps()).toMatchObject([{ step: 'hello', problem: expect.stringMatching(/^TimeoutError: .*timeout/) }]);
    channel.abandon();
  });

  it('that is refused, or answered with nonsense, is reported with the reason', async () => {
    const { channel, input, steps } = setUp();
    const call = channel.call({ op: 'capture' }, AbortSignal.timeout(5000));
    input.write(encodeFrame('{"id":1,"error":"java.lang.OutOfMemoryError"}'));
    await expect(call).rejects.toThrow('OutOfMemoryError');
    input.write(encodeFrame('{"customer": alice}'));
    await channel.closed;
    expect(steps()).toMatchObject([
      { step: 'capture', problem: 'java.lang.OutOfMemoryError' },
      { step: 'a message of the agent that makes no sense ends the connection' },
    ]);
    expect(JSON.stringify(steps())).not.toContain('alice');
  });
});

it('a look through the heap that fails costs nothing but itself, and is reported', async () => {
  const trace = new AppTrace({ pid: 1, appId: 'a-1', log: LOG });
  const answer = {
    leaves: { kind: 'full', paths: [], values: [] },
    ...{ roots: { order: [], added: [] }, beans: null, screen: null, rawCount: 0, coverage: 1, costMs: 1 },
    ...{ stoppedBy: null, hasMethodNews: false, discarded: { 'Walk.Read': 2 } },
  };
  const methods = { costMs: 0, types: [], methods: [], code: { methods: [], members: [], bodies: [], contracts: [] } };
  const channel = {
    isOpen: true,
    closed: new Promise<void>(() => {}),
    call: ({ op }: { op: string }) => Promise.resolve(op === 'capture' ? answer : methods),
  } as unknown as ClrChannel;
  const refuse = () => Promise.reject(new Error('0x8013136a'));
  const options = { maxKeys: 100, interruptActions: false, trace };
  const probe = new ClrProbe(channel, {} as AgentFolder, () => true, options, refuse);
  const capture = await probe.capture({ depth: 'deep', full: true, signal: AbortSignal.timeout(5000) });
  expect(capture.leaves).toMatchObject({ kind: 'full' });
  expect(trace.read(0).steps).toContainEqual(expect.objectContaining({ step: 'heap scan', problem: '0x8013136a' }));
  expect(probe.health().discarded).toEqual({ 'Walk.Read': 2 });
  expect(probe.health().parts).toContainEqual({
    name: 'heap_scan',
    problem: 'The heap could not be looked through: 0x8013136a',
  });
});
