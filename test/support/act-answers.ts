/** The answers of the acting parts of an agent to the test harness. */
export interface Action {
  readonly binding: string;
  readonly name: string;
  readonly returns: string;
  readonly effect: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string | null;
    readonly required: boolean;
    readonly description: string | null;
  }[];
}

export interface Answer {
  readonly ok?: boolean;
  readonly refused?: 'argument' | 'gone';
  readonly message: string;
  readonly rawReturn?: unknown;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly running: number;
}
