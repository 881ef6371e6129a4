/** A message of the Model Context Protocol over HTTP: the edge's request to the tools, and their answer. */

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface McpExchange {
  /** Parsed and limited in size by the edge. */
  readonly message: unknown;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** The id of the requesting key. */
  readonly owner: string;
  /** Other hosts may be available. */
  readonly isInFleet: boolean;
  /** The routes of the API, with the permissions of the sender. */
  readonly ask: Ask;
}

export interface McpAnswer {
  readonly status: number;
  /** Null if there is no body. */
  readonly contentType: string | null;
  readonly body: string;
}

interface InnerRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A value for JSON. */
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/**
 * Calls another route in-process: without a socket and a second key check, but with the same limits and answers.
 * Answers are values, not JSON text. A state comes as a view (state-look.ts), since callers never need all of it.
 */
export type Ask = (request: InnerRequest) => Promise<{ readonly status: number; readonly value: unknown }>;
