/** Attaches to a browser through its open debugging port. */
import { messageOf } from '../../../../model/failure.ts';
import type { ProcessInfo } from '../../../../model/process.ts';
import { traced } from '../../../../model/trace.ts';
import { AttachError, type AttachTools } from '../../../probe.ts';
import { CdpConnection } from '../cdp/cdp-connection.ts';
import { BrowserProbe, type BrowserProbeOptions } from './browser-probe.ts';
import { findEndpoint } from './endpoint.ts';
import type { BrowserTargets } from './targets.ts';
import { WsTargets } from './ws-targets.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** For an Electron app, whose windows are reached in another way. */
export function probeWindows(targets: BrowserTargets, options: BrowserProbeOptions): BrowserProbe {
  return new BrowserProbe(targets, options);
}

export async function attachBrowser(
  process: ProcessInfo,
  name: string,
  { inspect, trace }: AttachTools,
  options: BrowserProbeOptions,
): Promise<BrowserProbe> {
  const find = () => findEndpoint(process, name, inspect);
  const url = await traced(trace, 'find the debugging port', find);
  try {
    const connection = await CdpConnection.open(inspect.network(process), url, CONNECT_TIMEOUT_MS, undefined, trace);
    try {
      return new BrowserProbe(await WsTargets.open(connection), options);
    } catch (error) {
      await connection.close();
      throw error;
    }
  } catch (error) {
    const why = messageOf(error);
    throw new AttachError(`This ${name} has a debugging port, but does not take the connection: ${why}.`, {
      retry: true,
      cause: error,
    });
  }
}
