/** Buttons of a desktop program's page that act on its window. */
import type { RawAction } from '../../../../model/raw-action.ts';

const CLOSES_WINDOW = /(?:^|[.|])(?:close|close_window|close_app|close_application|close_program)(?:_\d+)?$/;
/**
 * The description of a control in a dialog or another part of the page ends like this; the control closes that part.
 */
const IN_A_PART = / in "[^"]*"$/;

/**
 * A program that draws its own window frame: its button "Close" ends the window, and with the last window the program.
 */
export function asWindowControl(action: RawAction): RawAction {
  const { name, effect, description } = action;
  const mayClose = (effect === 'control' || effect === 'look') && CLOSES_WINDOW.test(name);
  return mayClose && !IN_A_PART.test(description) ? { ...action, effect: 'unknown' } : action;
}
