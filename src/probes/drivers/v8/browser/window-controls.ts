/** Buttons of a desktop program's page that stand for those of a window's frame. */
import type { RawAction } from '../../../../model/raw-action.ts';

const CLOSES_WINDOW = /(?:^|[.|])(?:close|close_window|close_app|close_application|close_program)(?:_\d+)?$/;
/** What stands in a dialog or another part of the page says so at its end, and closes that part. */
const IN_A_PART = / in "[^"]*"$/;

/** A program draws the frame of its window itself: its button "Close" ends the window, and with the last one the program. */
export function asWindowControl(action: RawAction): RawAction {
  const { name, effect, description } = action;
  const mayClose = (effect === 'control' || effect === 'look') && CLOSES_WINDOW.test(name);
  return mayClose && !IN_A_PART.test(description) ? { ...action, effect: 'unknown' } : action;
}
