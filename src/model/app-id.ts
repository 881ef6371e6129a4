/** `<slug>-<16 hex>`: the digits say which program it is. The slug is its name, which may change. */
const DIGITS = /-([0-9a-f]{16})$/;

/** Null if it is no app_id. */
export function digitsOf(appId: string): string | null {
  return DIGITS.exec(appId)?.[1] ?? null;
}

/** True for two ids of one program, even if its name has changed between them. */
export function isSameProgram(one: string, other: string): boolean {
  if (one === other) return true;
  const digits = digitsOf(one);
  return digits !== null && digits === digitsOf(other);
}

interface Identified {
  readonly appId: string;
  /** Ids that the app had before. */
  readonly aliases?: readonly string[] | undefined;
}

/** True if an app_id names this app; an earlier id counts, too. */
export function isCalled({ appId, aliases = [] }: Identified, wanted: string): boolean {
  return isSameProgram(appId, wanted) || aliases.some((alias) => isSameProgram(alias, wanted));
}
