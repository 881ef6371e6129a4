/**
 * Names the visible screen, from the address if that has a meaning:
 *
 * - The route is the path, or the part after `#/` if the app routes by the hash.
 * - A segment that identifies one thing (a number, a UUID, a long run of hex digits, a slug with digits) is dropped; if
 * it was the last one, `detail` replaces it: `/orders/1001` is `orders.detail`, `/orders/1001/edit` is `orders.edit`.
 * - File names lose their extension; `index` and a leading language are dropped.
 *
 * If no segment is left (`/`, `/index.html`) the caller uses the page itself: its main heading, the current item of its
 * navigation, the open dialog, its title. So the name is the same for all things of one kind, and never the URL.
 */
import { firstName, toName } from '../../../../insight/screen/words.ts';

const MAX_SEGMENTS = 4;
const LANGUAGE = /^[a-z]{2}(?:[-_][a-z]{2})?$/i;
const SAYS_NOTHING = new Set(['index', 'default', 'home']);

export function viewOfAddress(address: { protocol: string; pathname: string; hash: string }): string | null {
  const byHash = /^#!?\/(.*)$/.exec(address.hash)?.[1];
  if (byHash !== undefined) return viewOfRoute(byHash);
  if (address.protocol === 'http:' || address.protocol === 'https:') return viewOfRoute(address.pathname);
  // Only the name of a file belongs to the app; other schemes have no route.
  return address.protocol === 'file:' ? viewOfRoute(address.pathname.split('/').at(-1) ?? '') : null;
}

function viewOfRoute(route: string): string | null {
  const path = route.split(/[?#]/)[0] ?? '';
  const segments = path.split('/').map(decode);
  const given = segments.filter((segment) => segment !== '');
  if (given.length > 1 && LANGUAGE.test(given[0] ?? '')) given.shift();
  const names = given.map((segment) => (isThing(segment) ? null : toName(segment.replace(/\.[a-z]{2,5}$/i, ''))));
  const kept = names.filter((name) => name !== null && name !== '' && !SAYS_NOTHING.has(name));
  if (kept.length === 0) return null;
  if (names.at(-1) === null) kept.push('detail');
  return kept.slice(0, MAX_SEGMENTS).join('.');
}

/** True for a segment that identifies one thing of many. */
export function isThing(segment: string): boolean {
  if (!/\d/.test(segment)) return segment.length > 40 || /@/.test(segment);
  if (/^[\d.,_-]+$/.test(segment)) return true;
  if (/^\{?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\}?$/i.test(segment)) return true;
  if (/^[\da-f]{7,}$/i.test(segment)) return true;
  if (/^[a-z]{1,8}[-_]?\d+$/i.test(segment)) return !/^v\d$/i.test(segment);
  return segment.length >= 12;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Not encoded after all.
    return segment;
  }
}

/** For a page whose address has no meaning: the first of these texts that makes a name. */
export function viewOfTexts(texts: readonly (string | null)[]): string | null {
  return firstName(...texts) || null;
}
