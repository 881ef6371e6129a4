/** Apps of other hosts are named `host/app`. */

const HOST_AND_APP = /^([0-9A-Za-z_-]{1,63})\/(.+)$/s;

/** Null if the text names no host, so that the app is one of the daemon's own host. A number after the host is a pid. */
export function hostAndApp(text: string): { readonly host: string; readonly app: string | number } | null {
  const [, host, app] = HOST_AND_APP.exec(text) ?? [];
  if (host === undefined || app === undefined) return null;
  return { host, app: /^\d{1,10}$/.test(app) ? Number(app) : app };
}
