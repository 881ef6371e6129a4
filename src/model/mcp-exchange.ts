/** A message of the Model Context Protocol over HTTP: what the edge gives to the tools, and what they answer. */

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface McpExchange {
  /** Parsed and bounded by the edge. */
  readonly message: unknown;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** The id of the key that asks. */
  readonly owner: string;
  /** There may be other hosts to ask. */
  readonly isInFleet: boolean;
  /** The routes of the API, for the one who sent the message. */
  readonly ask: Ask;
}

export interface McpAnswer {
  readonly status: number;
  /** Null: there is no body. */
  readonly contentType: string | null;
  readonly body: string;
}

interface InnerRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What JSON would become. */
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/**
 * Another route, asked from within: no socket and no key again, but the same limits and answers. The answers are values,
 * not their JSON text; instead of a whole state there is a view of it (state-look.ts), since all of it is never wanted.
 */
export type Ask = (request: InnerRequest) => Promise<{ readonly status: number; readonly value: unknown }>;
