import { nkeys } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/config-schema.ts';
import { connectOptions } from '../../../src/fleet/connect-options.ts';

const optionsOf = (fleet: object, credentials: Uint8Array | null = null) =>
  connectOptions(configSchema.parse({ fleet }).fleet, credentials);

describe('the way to the NATS server', () => {
  it.each(['nats.example.org', 'nats://10.0.0.1:4222', 'nats://[fe80::1]:4222'])(
    'is not %s in plain text, unless that is asked for',
    (server) => {
      expect(() => optionsOf({ servers: ['nats://127.0.0.1', server] })).toThrow(/without TLS.*plain_text = true/);
      expect(optionsOf({ servers: [server], plain_text: true }).tls).toBeUndefined();
      expect(optionsOf({ servers: [server], ca_file: '/ca.pem' }).tls).toEqual({ caFile: '/ca.pem' });
    },
  );

  it('may be plain on this machine, and is encrypted where one address says so', () => {
    for (const server of ['nats://127.0.0.1:4223', 'localhost', 'nats://[::1]:1'])
      expect(optionsOf({ servers: [server] }).tls).toBeUndefined();
    const both = optionsOf({ servers: ['tls://nats.example.org:4222', 'nats://10.0.0.1'] });
    expect(both).toMatchObject({ servers: ['nats.example.org:4222', '10.0.0.1'], tls: {} });
  });

  it('is shown by a creds file or a seed, and by nothing else', () => {
    const seed = nkeys.createUser().getSeed();
    expect(optionsOf({ servers: ['localhost'] }, seed).authenticator).toBeTypeOf('function');
    const secret = new TextEncoder().encode('hunter2');
    expect(() => optionsOf({ servers: ['localhost'] }, secret)).toThrow(/neither NATS credentials nor the seed/);
    expect(() => optionsOf({ servers: ['localhost'] }, secret)).not.toThrow(/hunter2/);
  });
});
