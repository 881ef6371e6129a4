import { type DiffResponse, type Substrate, SubstrateError } from '../../client/node.ts';

/** Null: the daemon does not have that capture any more, as after a restart. */
export async function differences(substrate: Substrate, pid: number, since: string): Promise<DiffResponse | null> {
  try {
    return await substrate.diff(pid, since);
  } catch (error) {
    if (error instanceof SubstrateError && error.code === 'capture_not_found') return null;
    throw error;
  }
}
