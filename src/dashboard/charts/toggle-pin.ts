import { toast } from '../ui/toast.tsx';
import { MAX_PINS, type Pins } from './pins.ts';

/** Shows a message, because the charts are in another view. */
export function togglePin(pins: Pins, key: string): void {
  if (!pins.toggle(key)) toast(`${MAX_PINS} keys are pinned. Unpin one first.`, 'bad');
  else toast(pins.has(key) ? `Pinned to the charts: ${key}` : `Unpinned: ${key}`);
}
