/** The confidence of a value without a meaningful name. */
export const OPAQUE_CONFIDENCE = 0.3;

/** Keys for unnamed values: a hash of the app and the raw path, so that they are the same after every restart. */
export function opaqueKey(appId: string, rawPath: string): string {
  return `unknown_0x${hashText(`${appId}\0${rawPath}`)}`;
}

/** Eight hex digits. */
export function hashText(text: string): string {
  return hash32(text).toString(16).padStart(8, '0');
}

/** FNV-1a over UTF-16 units, with a final mix: short, fast, the same everywhere; it need not be secret. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}
