/** The probe of a .NET or Mono program: asks the agent inside it. */
import type { AgentFolder } from '../agent-files/agent-folder.ts';
import { InjectedProbe, type InjectedProbeOptions } from '../injected/injected-probe.ts';
import type { Capture, CaptureRequest } from '../probe.ts';
import type { ClrChannel } from './channel.ts';

/** Looks through the heap for what nothing else leads to. Rejects when it cannot; the captures go on without it. */
export type HeapLook = (channel: ClrChannel, signal: AbortSignal) => Promise<void>;

export class ClrProbe extends InjectedProbe {
  private readonly channel: ClrChannel;
  /** null: not possible, or done. It costs the program a pause: once is enough. */
  private lookAtHeap: HeapLook | null;

  /** `folder` is the probe's from now on. */
  constructor(
    channel: ClrChannel,
    folder: AgentFolder,
    isAlive: () => boolean,
    options: InjectedProbeOptions,
    lookAtHeap: HeapLook | null = null,
  ) {
    super('clr_mmf', channel, folder, isAlive, options);
    this.channel = channel;
    this.lookAtHeap = lookAtHeap;
  }

  override async capture(request: CaptureRequest): Promise<Capture> {
    if (request.depth === 'deep') await this.lookOnce(request.signal);
    const capture = await super.capture(request);
    return { ...capture, lookDeeper: this.lookAtHeap !== null };
  }

  private async lookOnce(signal: AbortSignal): Promise<void> {
    const look = this.lookAtHeap;
    this.lookAtHeap = null;
    try {
      await look?.(this.channel, signal);
    } catch {
      // What the program shows without it is shown.
    }
  }
}
