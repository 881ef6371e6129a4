/** Addresses that a browser may be sent to. A local file would be read into the state by whoever has a key. */
export function openableUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return null;
  return url.protocol === 'http:' || url.protocol === 'https:' || url.href === 'about:blank' ? url.href : null;
}
