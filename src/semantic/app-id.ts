import { hash32 } from './opaque.ts';

/** `<slug>-<8 hex>`: readable, and the same after every restart of app or daemon. */
export function makeAppId(appName: string, identity: string): string {
  const slug = appName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return `${slug === '' ? 'app' : slug}-${hash32(identity).toString(16).padStart(8, '0')}`;
}
