/** Stands in place of a secret. Agents recognise secrets by type or name and never read their values. */
export const REDACTED = '[redacted]';

/** Types whose objects are secrets, by their names without namespace or package. */
export const SECRET_TYPES: readonly string[] = [
  ...['ProtectedString', 'ProtectedBinary', 'SecureString'],
  ...['*Credential', '*Credentials', '*CredentialCache'],
];
