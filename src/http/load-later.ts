/** A part of the program that is loaded when it is first needed. An update may have replaced the files by then. */
import { SubstrateError } from '../model/errors.ts';
import type { Logger } from '../model/log.ts';

const RESTART =
  'This part of the daemon could not be loaded: its files were replaced or removed after it had started, as an update does. Restart the daemon: substrate down && substrate up';

export function loadLater<Part>(load: () => Promise<Part>, log: Logger): () => Promise<Part> {
  let isLogged = false;
  return async () => {
    try {
      return await load();
    } catch (error) {
      if (!isLogged) log.error({ err: error }, RESTART);
      isLogged = true;
      throw new SubstrateError('internal', RESTART, { cause: error });
    }
  };
}
