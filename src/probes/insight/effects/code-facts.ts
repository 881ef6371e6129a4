/**
 * What an agent tells of the code of methods (bytecode, IL): what each writes and calls, each by itself. A piece of code
 * has a number; so has everything that code refers to. What follows from it is decided in the daemon.
 */
import * as z from 'zod';

const text = (max: number) => z.string().max(max);
const number = z.number().int().min(0);
const numbers = z.array(number).max(5000);
/** Where a value may have come from: see value-origin.ts. */
const origins = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const memberFacts = z.object({
  id: number,
  /** `java/util/List`, `System.Collections.Generic.List`: without what stands in angle brackets. */
  owner: text(2000),
  name: text(2000),
  /** Of Java: its parameters and its result. */
  descriptor: text(8000).default(''),
  isStatic: z.boolean(),
  /** It belongs to the JDK or to .NET: what it does is known by its name. */
  isPlatform: z.boolean(),
  /** Of .NET: what its owner is. */
  owners: z
    .array(z.enum(['delegate', 'exception', 'enumerator', 'array']))
    .max(4)
    .default([]),
  /** Of .NET, of each parameter: `f` a function, `w` written by its address, `r` an address, `p` a number, `s` a text. */
  parameters: z.array(text(10)).max(300).default([]),
  /** The code that may run; null: that cannot be told. */
  targets: numbers.nullable(),
  /** Members of the platform that may run, because nothing of the app overrides them. */
  inherited: numbers.default([]),
  /** Initialisers that may run before it. */
  initialisers: numbers.default([]),
});
export type MemberFacts = z.infer<typeof memberFacts>;

const codeBody = z.object({
  id: number,
  /** What it does cannot be followed. */
  isOpaque: z.boolean().default(false),
  /** What kind of place, whose, with what, and the name of a field. */
  writes: z
    .array(z.tuple([z.enum(['field', 'address', 'element', 'lock']), origins, origins, text(2000).nullable()]))
    .max(6000)
    .default([]),
  /** Fields of its own object whose values it uses. */
  reads: z.array(text(2000)).max(6000).default([]),
  calls: z
    .array(
      z.object({
        /** By which values name its result; null: none does. */
        result: number.nullable().default(null),
        member: number,
        receiver: origins,
        arguments: z.array(origins).max(300),
        /** Types of the app whose objects it may get hold of; null: all that are handled. */
        meets: numbers.nullable().default(null),
      }),
    )
    .max(6000)
    .default([]),
  /** Types of the app whose objects it handles. */
  handled: numbers.default([]),
  initialisers: numbers.default([]),
  notes: z
    .array(
      z.enum([
        /** Something that it handles can be disposed of. */
        'disposable',
        /** It reads a sequence that may do its work when somebody goes through it. */
        'lazy-sequence',
        /** Its class makes maps that keep what was used last at their end. */
        'access-order',
        /** It runs under the lock of its object. */
        'synchronized',
      ]),
    )
    .default([]),
});
export type CodeBody = z.infer<typeof codeBody>;

/** Methods of a type, and of those below it, that the platform may call: by name their code; null: that cannot be told. */
const contractFacts = z.object({
  type: number,
  methods: z.array(z.tuple([text(200), numbers.nullable()])).max(20),
});

export const codeFacts = z.object({
  /** Numbers of code and of what it refers to begin anew. */
  isReset: z.boolean(),
  /** Of methods that were asked for: type, key, code; null: it has none that could be looked at. */
  methods: z.array(z.tuple([number, text(8000), number.nullable()])).max(5000),
  members: z.array(memberFacts).max(100_000),
  bodies: z.array(codeBody).max(5000),
  contracts: z.array(contractFacts).max(5000),
});
export type CodeFacts = z.infer<typeof codeFacts>;
