import { describe, expect, it } from 'vitest';
import { isNoiseType, isSecretType, WALK_LIMITS } from '../../../../src/probes/insight/walk-rules.ts';

describe('types that are not read', () => {
  it.each(['SecureString', 'ProtectedString', 'ApiCredential', 'LoginCredentials', 'Credentials'])(
    'secret: %s',
    (name) => {
      expect(isSecretType(name)).toBe(true);
    },
  );

  it.each(['String', 'CredentialsForm', 'SecureStringBuilder', 'Login', ''])('no secret: %s', (name) => {
    expect(isSecretType(name)).toBe(false);
  });

  it.each(['Logger', 'AuditLogger', 'ILog'])('noise: %s', (name) => {
    expect(isNoiseType(name)).toBe(true);
  });

  it.each(['Log', 'LoggerSettings', 'Ledger', 'ILogin'])('no noise: %s', (name) => {
    expect(isNoiseType(name)).toBe(false);
  });
});

it('cuts texts where four characters end: a hash takes four at a time', () => {
  expect(WALK_LIMITS.maxText % 4).toBe(0);
});
