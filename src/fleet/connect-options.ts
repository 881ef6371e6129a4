/** Options for the connection to the NATS server: addresses, TLS, credentials. */
import { credsAuthenticator, type NodeConnectionOptions, nkeyAuthenticator } from '@nats-io/transport-node';
import type { Config } from '../model/config.ts';

export type FleetSettings = Config['fleet'];

const CONNECT_MS = 2000;
const RECONNECT_MS = 500;
/** The connection counts as lost after two pings without an answer. */
const PING_MS = 10_000;

/** Throws, with a message for people, if keys would travel unencrypted. */
export function connectOptions(settings: FleetSettings, credentials: Uint8Array | null): NodeConnectionOptions {
  const { servers, ca_file: caFile, cert_file: certFile, key_file: keyFile, plain_text } = settings;
  const isEncrypted = [caFile, certFile, keyFile].some((file) => file !== undefined) || servers.some(asksForTls);
  const exposed = isEncrypted || plain_text ? undefined : servers.find((server) => !isLoopback(server));
  if (exposed !== undefined)
    throw new Error(
      `Refusing to reach ${exposed} without TLS: keys and states could be read on the way. Use tls:// in servers of [fleet], or set plain_text = true there.`,
    );
  const files = { caFile, certFile, keyFile };
  const tls = Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined));
  return {
    servers: servers.map((server) => server.replace(/^(?:nats|tls):\/\//, '')),
    ...(isEncrypted ? { tls } : {}),
    ...(credentials === null ? {} : { authenticator: authenticatorOf(credentials) }),
    name: 'substrate',
    timeout: CONNECT_MS,
    reconnectTimeWait: RECONNECT_MS,
    maxReconnectAttempts: -1,
    pingInterval: PING_MS,
    noAsyncTraces: true,
  };
}

function asksForTls(server: string): boolean {
  return server.startsWith('tls://');
}

function isLoopback(server: string): boolean {
  return /^(?:nats:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(server);
}

/** A file with a JWT and a seed, or with a seed alone. */
function authenticatorOf(credentials: Uint8Array) {
  const text = new TextDecoder().decode(credentials);
  if (text.includes('-----BEGIN')) return credsAuthenticator(credentials);
  const seed = /^SU[A-Z2-7]{56}$/m.exec(text)?.[0];
  if (seed === undefined)
    throw new Error('The file in credentials of [fleet] holds neither NATS credentials nor the seed of an nkey (SU…).');
  return nkeyAuthenticator(new TextEncoder().encode(seed));
}
