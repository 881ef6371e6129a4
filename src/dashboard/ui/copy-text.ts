import { toast } from './toast.tsx';

/** Copies to the clipboard, and shows a message. `what` begins the sentence: "Key copied". */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    // The browser gives no reason.
    toast(`${what} could not be copied: the browser refused.`, 'bad');
  }
}
