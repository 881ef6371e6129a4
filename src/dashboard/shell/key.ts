/**
 * The key of this page. The link that `substrate up` prints has a code that works once; the daemon exchanges it for a
 * key that ends with the daemon, or after some hours. It is kept while this tab is open. A typed key is exchanged the
 * same way and not kept: a page keeps sending requests to its address, even if another program listens there later.
 */
import { ConnectionError, Substrate } from '../../client/index.ts';

const KEPT_AS = 'substrate-key';
const IN_FRAGMENT = /^#code=([\w-]+)$/;

/** A key for this page, or the reason why there is none. */
export type Exchange = { readonly key: string } | { readonly reason: string };

/** Removes the code from the address; once used, it is worthless. */
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
