/**
 * Addresses that a browser may open. A local file is refused: its content would be readable by everybody who has a key.
 */
export function openableUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return null;
  return url.protocol === 'http:' || url.protocol === 'https:' || url.href === 'about:blank' ? url.href : null;
}
