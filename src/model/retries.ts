/** Remembers requests that a client may repeat, so that each is carried out once. */

export interface StoredAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

/** `lost`: the daemon that began it has ended since. */
export type Claim =
  | { readonly kind: 'new' | 'running' | 'lost' | 'other request' }
  | { readonly kind: 'done'; readonly answer: StoredAnswer };

export interface RetryRecords {
  /** `new`: the caller must carry it out, and then call `finish` or `release`. */
  claim(name: string, request: string): Claim;
  finish(name: string, answer: StoredAnswer): void;
  /** Nothing was carried out. */
  release(name: string): void;
}
