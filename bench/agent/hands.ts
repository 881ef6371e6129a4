/** What the scripted agent can do with a tool, and what it costs. The agent never sees which tool it has. */
import type { McpClient } from '../peers/mcp-client.ts';
import type { Line, Question } from './words.ts';

export type Page = readonly Line[];

/** A value, and what the task calls it. */
export interface Setting {
  readonly name: string;
  readonly value: string;
}

export interface Deed {
  readonly kind: 'press' | 'twice' | 'set';
  readonly settings: readonly Setting[];
}

export interface Outcome {
  readonly ok: boolean;
  readonly text: string;
}

export interface Hands {
  /** What there is, as far as one answer has it. */
  look(): Promise<Page>;
  /** More about these words, once a look was not enough. Null: the tool has nothing more to tell. */
  narrow(question: Question, best: readonly Line[]): Promise<Page | null>;
  /** What can be done. */
  offers(question: Question, again: boolean): Promise<Page>;
  act(offer: Line, deed: Deed): Promise<Outcome>;
  /** Until this text is there; `near`: the line that is expected to say it. False: not in time. */
  waitFor(text: string, near: Line | null): Promise<boolean>;
  close(): Promise<void>;
}

export interface Call {
  readonly tool: string;
  readonly args: object;
  readonly text: string;
  readonly isError: boolean;
}

/** Calls tools and keeps what was said: for the sums, and for whoever wants to know why something failed. */
export class Counter {
  readonly calls: Call[] = [];
  private readonly client: McpClient;

  constructor(client: McpClient) {
    this.client = client;
  }

  async call(tool: string, args: object = {}): Promise<Call> {
    const { text, isError } = await this.client.answer(tool, args);
    const call = { tool, args, text, isError };
    this.calls.push(call);
    return call;
  }

  get characters(): number {
    return this.calls.reduce((all, { text }) => all + text.length, 0);
  }
}
