/** Loads a part of the program on demand. An update may have replaced the files by then. */
import { SubstrateError } from '../model/errors.ts';
import type { Logger } from '../model/log.ts';
import { REPLACED, RESTART } from '../model/replaced-files.ts';

const WHY = `${REPLACED} ${RESTART}`;

export function loadLater<Part>(load: () => Promise<Part>, log: Logger): () => Promise<Part> {
  let isLogged = false;
  return async () => {
    try {
      return await load();
    } catch (error) {
      if (!isLogged) log.error({ err: error }, WHY);
      isLogged = true;
      throw new SubstrateError('internal', WHY, { cause: error });
    }
  };
}
