import { toast } from './toast.tsx';

/** To the clipboard, and says so. `what` begins the sentence: "Key copied". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    // The browser does not say more than that it refuses.
    toast(`${what} could not be copied: the browser refused.`, 'bad');
  }
}
