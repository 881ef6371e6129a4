/** The interface of the scripted agent to a tool, with its costs. The agent never knows which tool it has. */
import type { McpClient } from '../peers/mcp-client.ts';
import type { Line, Question } from './words.ts';

export type Page = readonly Line[];

/** A value, and its name in the task. */
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
  /** An overview, as far as one answer has it. */
  look(): Promise<Page>;
  /** More about these words, if an overview was not enough. Null if the tool has nothing more. */
  narrow(question: Question, best: readonly Line[]): Promise<Page | null>;
  /** The possible actions. */
  offers(question: Question, again: boolean): Promise<Page>;
  act(offer: Line, deed: Deed): Promise<Outcome>;
  /** Waits until this text appears; `near`: the line that is expected to show it. Returns false if it is too late. */
  waitFor(text: string, near: Line | null): Promise<boolean>;
  close(): Promise<void>;
}

export interface Call {
  readonly tool: string;
  readonly args: object;
  readonly text: string;
  readonly isError: boolean;
}

/** Calls tools and keeps their answers: for the totals, and for finding out why something failed. */
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
