/**
 * Keeps HotSpot's second compiler away from the agent's code. It would take seconds of the program's processor time for
 * code that runs for milliseconds; the first compiler takes a tenth of that, and its code is good enough. The directive
 * names only the agent's classes. It is never removed: a removal could remove somebody else's directive.
 */
import type { HotSpot } from './hotspot-attach.ts';

const CLASSES = 'substrate/agent/';
export const DIRECTIVE_FILE = 'compiler.json';
export const DIRECTIVE = Buffer.from(`[{ match: ["${CLASSES}*.*"], c2: { Exclude: true } }]`);
/** Silent from this version on, by observation: older ones may write about the excluded methods to the app's output. */
const SILENT = 17;

export async function spareSecondCompiler(
  hotSpot: Pick<HotSpot, 'command'>,
  version: number,
  folder: string,
): Promise<void> {
  if (version < SILENT) return;
  const { status, text } = await hotSpot.command('jcmd', 'Compiler.directives_print');
  if (status !== 0 || text.includes(CLASSES)) return;
  await hotSpot.command('jcmd', `Compiler.directives_add ${folder}/${DIRECTIVE_FILE}`);
}
