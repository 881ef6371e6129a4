/** The API key: comes with the link that the daemon prints, and is kept for as long as this tab is open. */
const KEPT_AS = 'substrate-key';
const IN_FRAGMENT = /^#key=([\w-]+)$/;

/** Takes the key out of the address, so that it is neither seen nor kept in the history. */
export function takeKeyFromAddress(): string | null {
  const key = IN_FRAGMENT.exec(location.hash)?.[1];
  if (key === undefined) return null;
  history.replaceState(null, '', `${location.pathname}#/`);
  keepKey(key);
  return key;
}

export function keptKey(): string | null {
  return sessionStorage.getItem(KEPT_AS);
}

export function keepKey(key: string): void {
  sessionStorage.setItem(KEPT_AS, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(KEPT_AS);
}
