/** The protocol between the daemon and the agent inside a Deno process: calls of the agent's methods. */

/** The result of `next`, as JSON text. V8 may lose an answer, so each is repeated until its number comes back. */
export type AgentMessage = { number: number } & Message;

export type Message =
  /** Answers to requests, each as JSON text. */
  | { kind: 'answers'; answers: string[] }
  /** `takeWanted` returns functions and objects to query the inspector about. */
  | { kind: 'wanted' }
  /** All functions of the process are needed: `takeFunctions` receives them. */
  | { kind: 'functions' };

/** The inspector's facts about one value of `takeWanted`. `at`: its position among the objects that come with it. */
export type Finding =
  /** It is neither a known function written in JavaScript nor an object with private fields. */
  | null
  | { kind: 'function'; scriptId: string; url: string; minified: boolean; line: number; column: number; at: number }
  | { kind: 'fields'; fields: Field[] };

export type Field =
  | { name: string; at: number }
  | { name: string; value: string | number | boolean | null }
  | { name: string; special: string };
