/** The error for a client when the state could not be read. */
import { SubstrateError } from '../model/errors.ts';
import { messageOf } from '../model/failure.ts';
import { TargetBusyError } from '../probes/probe.ts';

export function explainCaptureFailure(error: unknown): never {
  if (error instanceof SubstrateError) throw error;
  const isBusy = error instanceof TargetBusyError;
  if (isBusy || (error instanceof Error && error.name === 'TimeoutError')) {
    const what = isBusy ? error.message : 'The app did not answer in time.';
    throw new SubstrateError('probe_timeout', `${what} fresh=false still gives the last state.`, { cause: error });
  }
  const why = messageOf(error);
  throw new SubstrateError(
    'probe_not_ready',
    `The state could not be read: ${why}. fresh=false still gives the last state.`,
    { cause: error },
  );
}
