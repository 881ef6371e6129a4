/**
 * The key of this page. The link that `substrate up` prints holds a code that works once; the daemon gives a key for it that
 * ends with the daemon, or after some hours. It is kept for as long as this tab is open. A key that somebody types is
 * exchanged the same way and not kept: a page goes on asking whoever is at its address, also when that is another program.
 */
import { ConnectionError, Substrate } from '../../client/index.ts';

const KEPT_AS = 'substrate-key';
const IN_FRAGMENT = /^#code=([\w-]+)$/;

/** A key for this page, or why there is none. */
export type Exchange = { readonly key: string } | { readonly reason: string };

/** Takes the code out of the address: used once, it is of no use to anybody. */
export function takeCodeFromAddress(): string | null {
  const code = IN_FRAGMENT.exec(location.hash)?.[1];
  if (code === undefined) return null;
  history.replaceState(null, '', `${location.pathname}#/`);
  return code;
}

export function exchangeCode(code: string): Promise<Exchange> {
  return exchange(async () => code);
}

export function exchangeKey(key: string): Promise<Exchange> {
  return exchange(async () => (await new Substrate({ baseUrl: location.origin, key }).dashboardCode()).code);
}

async function exchange(getCode: () => Promise<string>): Promise<Exchange> {
  try {
    const { key } = await new Substrate({ baseUrl: location.origin }).redeemDashboardCode(await getCode());
    sessionStorage.setItem(KEPT_AS, key);
    return { key };
  } catch (error) {
    if (error instanceof ConnectionError) return { reason: 'The daemon does not answer.' };
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

export function keptKey(): string | null {
  return sessionStorage.getItem(KEPT_AS);
}

export function forgetKey(): void {
  sessionStorage.removeItem(KEPT_AS);
}
