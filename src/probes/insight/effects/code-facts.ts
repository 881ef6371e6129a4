/**
 * What an agent tells of the code of methods: their instructions (bytecode, IL), and what these refer to. A piece of code
 * has a number; so has everything that code refers to: methods, fields, types. What follows from it is decided in the daemon.
 */
import * as z from 'zod';

const text = (max: number) => z.string().max(max);
const number = z.number().int().min(0);
const numbers = z.array(number).max(5000);
/** Variables, or values on the stack. */
const room = z.number().int().min(0).max(1000);

const memberFacts = z.object({
  id: number,
  /** `java/util/List`, `System.Collections.Generic.List`: without what stands in angle brackets. */
  owner: text(2000),
  name: text(2000),
  /** Of Java: its parameters and its result, or the type of a field. */
  descriptor: text(8000).default(''),
  isStatic: z.boolean().default(false),
  /** Its type, where code has to know whether it is of the same. */
  type: number.nullable().default(null),
  /** Types of the app that it brings: that of a field, of a result, of a cast. */
  handled: numbers.default([]),
  /** A member that it runs: the body of a lambda, the work of an async method. */
  runs: number.nullable().default(null),
  /** Of .NET: a property that gives this field of its object, and does nothing else. */
  gives: text(2000).nullable().default(null),
  /** Of .NET. */
  isVoid: z.boolean().default(false),
  /** Types of the app whose objects the platform may get hold of by it. */
  meets: numbers.default([]),
  /** It may get hold of whatever the code handles. */
  isOpen: z.boolean().default(true),
  /** It belongs to the JDK or to .NET: what it does is known by its name. */
  isPlatform: z.boolean().default(false),
  /** Of .NET: what its owner is, or a field. */
  traits: z
    .array(
      z.enum([
        'delegate',
        'exception',
        'enumerator',
        'array',
        /** Of a type that a compiler made for variables which outlive a piece of code. */
        'closure',
        /** A field that holds one. */
        'closure-typed',
        /** `string.Empty` */
        'constant',
        /** A sequence that may do its work when somebody goes through it. */
        'lazy',
        /** Something that it brings can be disposed of. */
        'disposable',
      ]),
    )
    .max(9)
    .default([]),
  /** Of .NET, of each parameter: `f` a function, `w` written by its address, `r` an address, `p` a number, `s` a text. */
  parameters: z.array(text(10)).max(300).default([]),
  /** The code that may run; null: that cannot be told, or of a field: its class may not be initialised yet. */
  targets: numbers.nullable().default([]),
  /** Members of the platform that may run, because nothing of the app overrides them. */
  inherited: numbers.default([]),
  /** Initialisers that may run before it. */
  initialisers: numbers.default([]),
});
export type MemberFacts = z.infer<typeof memberFacts>;

const instructions = z.object({
  id: number,
  /** It has none, or they cannot be followed. */
  isOpaque: z.boolean().default(false),
  /** In base 64. */
  code: text(8000).default(''),
  isStatic: z.boolean().default(false),
  /** How many values it takes, without its object: of Java, those of two words count twice. */
  parameters: room.default(0),
  /** With its object and its parameters, which come first. */
  variables: room.default(0),
  stack: room.default(0),
  /**
   * From where to where it is watched, where it is handled, whether the exception is given there, and where the handler
   * ends, if it may run without one.
   */
  handlers: z
    .array(z.tuple([number, number, number, z.boolean(), number.default(0)]))
    .max(200)
    .default([]),
  /** What the instructions refer to, in their order. */
  references: z.array(number).max(6000).default([]),
  /** Its own type. */
  type: number.nullable().default(null),
  /** Types of the app among its parameters. */
  handled: numbers.default([]),
  /** Variables whose types a compiler made. */
  closures: z.array(room).max(1000).default([]),
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
        /** Its object is one that a compiler made for variables which outlive a piece of code. */
        'closure',
        /** It sets the static fields of its type. */
        'initialiser',
      ]),
    )
    .default([]),
});
export type Instructions = z.infer<typeof instructions>;

export type WriteKind = 'field' | 'address' | 'element' | 'lock';

/** What one piece of code does by itself. Where values come from: see value-origin.ts. */
export interface CodeBody {
  readonly id: number;
  /** What it does cannot be followed. */
  readonly isOpaque: boolean;
  /** What kind of place, whose, with what, and the name of a field. */
  readonly writes: readonly (readonly [kind: WriteKind, holder: number, value: number, field: string | null])[];
  /** Fields of its own object whose values it uses. */
  readonly reads: readonly string[];
  readonly calls: readonly {
    /** By which values name its result; null: none does. */
    readonly result: number | null;
    readonly member: number;
    readonly receiver: number;
    readonly arguments: readonly number[];
  }[];
  /** Types of the app whose objects it handles. */
  readonly handled: readonly number[];
  readonly initialisers: readonly number[];
  readonly notes: Instructions['notes'];
}

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
  bodies: z.array(instructions).max(1000),
  contracts: z.array(contractFacts).max(5000),
});
export type CodeFacts = z.infer<typeof codeFacts>;
