/** Reasons against an attach that several ways of loading share. */
import { AttachError } from '../../probe.ts';

export function processGone(): AttachError {
  return new AttachError('The .NET program ended while the probe was being attached.', { retry: false });
}

export function givenUp(): AttachError {
  return new AttachError('The attach to the .NET program was given up, because substrate stops.', { retry: true });
}

export function isStopped(): AttachError {
  return new AttachError('The .NET program is stopped (SIGSTOP or a debugger).', {
    retry: true,
    remedy: 'It is tried again when it runs.',
  });
}
