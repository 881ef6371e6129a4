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

/**
 * Scans the heap for objects that nothing else leads to. Rejects when that is not possible; the captures go on without
 * it.
 */
export type HeapScan = (channel: ClrChannel, spentMs: number, signal: AbortSignal) => Promise<void>;

const TRAITS = { platform: CLR, values: CLR_VALUES, map: 'dictionary', isOnlyOneFound: false, roots: CLR_ROOTS };
/** A program with fewer keys has nearly no state that can be found without a heap scan. */
const POOR_KEYS = 20;

export class ClrProbe extends InjectedProbe {
  private readonly channel: ClrChannel;
  /**
   * Null if a scan is not possible, or done. It costs the program a pause, and runs finalizers: it is done once, and
   * only if needed.
   */
  private scanHeap: HeapScan | null;
  /** The time that the captures have cost so far. */
  private spentMs = 0;

  /** The probe owns `folder` from now on. */
  constructor(
    channel: ClrChannel,
    folder: AgentFolder,
    isAlive: () => boolean,
    options: InjectedProbeOptions,
    scanHeap: HeapScan | null = null,
  ) {
    super('clr_mmf', TRAITS, channel, folder, isAlive, options);
    this.channel = channel;
    this.scanHeap = scanHeap;
  }

  override async capture(request: CaptureRequest): Promise<Capture> {
    if (request.depth === 'deep') await this.scanOnce(request.signal);
    const capture = await super.capture(request);
    this.spentMs += capture.costMs ?? 0;
    return { ...capture, suggestsHeapScan: this.scanHeap !== null && capture.rawCount < POOR_KEYS };
  }

  /** `invocation_context` is for Java only: here the message names the called method. */
  protected override describeCall(message: string, { class: type, signature, instance, thread }: Called) {
    const whose = instance === null ? '' : `, on ${instance}`;
    return { message: `${message} (called: ${type}.${signature}${whose}, in thread ${thread})` };
  }

  private async scanOnce(signal: AbortSignal): Promise<void> {
    const scan = this.scanHeap;
    this.scanHeap = null;
    try {
      await scan?.(this.channel, this.spentMs, signal);
    } catch (error) {
      // The captures go on without the heap scan.
      this.trace.ignored('heap scan', error);
      this.agentHealth.fail('heap_scan', `The heap could not be looked through: ${problemOf(error)}`);
    }
  }
}
