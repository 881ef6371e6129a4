import { REPLACED, RESTART } from '../../model/replaced-files.ts';
import { AttachError } from '../probe.ts';

/**
 * Loads a part of a driver when it is first needed: the code that attaches is most of a driver, and most daemons meet
 * one or two runtimes. An update may have replaced the files by then.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw new AttachError(REPLACED, { retry: true, remedy: RESTART, cause });
  }
}
