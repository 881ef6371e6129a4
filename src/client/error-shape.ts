import type { ErrorBody } from './types.ts';

/** The body of an error, if it is one. Checked by hand: a browser need not load a library for four fields. */
export function errorShape(body: unknown): ErrorBody | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return null;
  return typeof error.code === 'string' && typeof error.message === 'string' ? (body as ErrorBody) : null;
}
