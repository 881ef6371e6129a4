/** Secrets that are known as such where they are read: their values are never read, and this stands in their place. */
export const REDACTED = '[redacted]';

/** Types whose objects are secrets, by their names without namespace or package. */
export const SECRET_TYPES: readonly string[] = [
  ...['ProtectedString', 'ProtectedBinary', 'SecureString'],
  ...['*Credential', '*Credentials', '*CredentialCache'],
];
