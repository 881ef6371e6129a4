/** What the daemon and the agent inside a Deno process say to each other, by calls of the agent's methods. */

/** What `next` resolves with, as JSON text: V8 may lose an answer, so each is repeated until its number comes back. */
export type AgentNews = { number: number } & News;

export type News =
  /** Answers to requests, each as JSON text. */
  | { kind: 'answers'; answers: string[] }
  /** `takeWanted` gives functions and objects about which the inspector has to be asked. */
  | { kind: 'wanted' }
  /** All functions of the process are needed: `takeFunctions` takes them. */
  | { kind: 'functions' };

/** What the inspector said of one value of `takeWanted`. `at`: place among the objects that come with it. */
export type Finding =
  /** Nothing that is known of a function written in JavaScript or of an object with private fields. */
  | null
  | { kind: 'function'; scriptId: string; url: string; minified: boolean; line: number; column: number; at: number }
  | { kind: 'fields'; fields: Field[] };

export type Field =
  | { name: string; at: number }
  | { name: string; value: string | number | boolean | null }
  | { name: string; special: string };
