/** The probe of a .NET or Mono program: asks the agent inside it. */

import { problemOf } from '../../../model/trace.ts';
import type { Capture, CaptureRequest } from '../../probe.ts';
import type { AgentFolder } from '../../support/agent-files/agent-folder.ts';
import type { Called } from '../../support/injected/agent-protocol.ts';
import { InjectedProbe, type InjectedProbeOptions } from '../../support/injected/injected-probe.ts';
import type { ClrChannel } from './channel/channel.ts';
import { CLR } from './clr-platform.ts';
import { CLR_ROOTS } from './clr-types.ts';
import { CLR_VALUES } from './clr-values.ts';

/** Looks through the heap for what nothing else leads to. Rejects when it cannot; the captures go on without it. */
export type HeapLook = (channel: ClrChannel, spentMs: number, signal: AbortSignal) => Promise<void>;

const TRAITS = { platform: CLR, values: CLR_VALUES, map: 'dictionary', isOnlyOneFound: false, roots: CLR_ROOTS };
/** What has fewer keys has nearly no state of its own that could be found without a look through the heap. */
const POOR_KEYS = 20;

export class ClrProbe extends InjectedProbe {
  private readonly channel: ClrChannel;
  /** null: not possible, or done. It costs the program a pause, and runs finalizers: once is enough, and only if it is needed. */
  private lookAtHeap: HeapLook | null;
  /** By the captures so far. */
  private spentMs = 0;

  /** `folder` is the probe's from now on. */
  constructor(
    channel: ClrChannel,
    folder: AgentFolder,
    isAlive: () => boolean,
    options: InjectedProbeOptions,
    lookAtHeap: HeapLook | null = null,
  ) {
    super('clr_mmf', TRAITS, channel, folder, isAlive, options);
    this.channel = channel;
    this.lookAtHeap = lookAtHeap;
  }

  override async capture(request: CaptureRequest): Promise<Capture> {
    if (request.depth === 'deep') await this.lookOnce(request.signal);
    const capture = await super.capture(request);
    this.spentMs += capture.costMs ?? 0;
    return { ...capture, suggestsHeapScan: this.lookAtHeap !== null && capture.rawCount < POOR_KEYS };
  }

  /** `invocation_context` is of Java alone: what was called is said in words. */
  protected override describeCall(message: string, { class: type, signature, instance, thread }: Called) {
    const whose = instance === null ? '' : `, on ${instance}`;
    return { message: `${message} (called: ${type}.${signature}${whose}, in thread ${thread})` };
  }

  private async lookOnce(signal: AbortSignal): Promise<void> {
    const look = this.lookAtHeap;
    this.lookAtHeap = null;
    try {
      await look?.(this.channel, this.spentMs, signal);
    } catch (error) {
      // What the program shows without it is shown.
      this.trace.ignored('heap scan', error);
      this.agentHealth.fail('heap_scan', `The heap could not be looked through: ${problemOf(error)}`);
    }
  }
}
