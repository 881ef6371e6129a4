/**
 * The facts that an agent reports about the code of methods: the instructions (bytecode, IL) and the members that they
 * refer to. Each piece of code, method, field and type has a number. The daemon draws the conclusions.
 */
import * as z from 'zod';

const text = (max: number) => z.string().max(max);
const number = z.number().int().min(0);
const numbers = z.array(number).max(5000);
/** A number of variables, or of values on the stack. */
const room = z.number().int().min(0).max(1000);

const memberFacts = z.object({
  id: number,
  /** Without type arguments: `java/util/List`, `System.Collections.Generic.List`. */
  owner: text(2000),
  name: text(2000),
  /** Java only: parameters and result of a method, or the type of a field. */
  descriptor: text(8000).default(''),
  isStatic: z.boolean().default(false),
  /** Its type, if code has to compare it with its own. */
  type: number.nullable().default(null),
  /** Types of the app that it yields: of a field, of a result, of a cast. */
  handled: numbers.default([]),
  /** The member that it runs: the body of a lambda, the state machine of an async method. */
  runs: number.nullable().default(null),
  /** .NET only: the field of its object that a plain property getter returns. */
  gives: text(2000).nullable().default(null),
  /** .NET only. */
  isVoid: z.boolean().default(false),
  /** Types of the app whose objects it passes to the platform. */
  meets: numbers.default([]),
  /** It may pass any object that the code handles. */
  isOpen: z.boolean().default(true),
  /** It belongs to the JDK or to .NET, so its name says what it does. */
  isPlatform: z.boolean().default(false),
  /** .NET only: traits of its owner or of the field. */
  traits: z
    .array(
      z.enum([
        'delegate',
        'exception',
        'enumerator',
        'array',
        /** Belongs to a class that the compiler generated for captured variables. */
        'closure',
        /** A field that holds an object of such a class. */
        'closure-typed',
        /** `string.Empty` */
        'constant',
        /** A sequence that may do its work only when it is enumerated. */
        'lazy',
        /** It yields something disposable. */
        'disposable',
      ]),
    )
    .max(9)
    .default([]),
  /** .NET only, for each parameter: `f` function, `w` written by reference, `r` reference, `p` number, `s` text. */
  parameters: z.array(text(10)).max(300).default([]),
  /** The code that may run; null if that is unknown or, for a field, if its class may not be initialised yet. */
  targets: numbers.nullable().default([]),
  /** Members of the platform that may run because no type of the app overrides them. */
  inherited: numbers.default([]),
  /** Initialisers that may run before it. */
  initialisers: numbers.default([]),
});
export type MemberFacts = z.infer<typeof memberFacts>;

const instructions = z.object({
  id: number,
  /** It has no instructions, or they cannot be followed. */
  isOpaque: z.boolean().default(false),
  /** In base 64. */
  code: text(8000).default(''),
  isStatic: z.boolean().default(false),
  /** The number of values it takes, without its object. In Java a long or double counts twice. */
  parameters: room.default(0),
  /** Including its object and its parameters, which come first. */
  variables: room.default(0),
  stack: room.default(0),
  /**
   * The range that is protected, the start of the handler, whether it receives the exception, and the end of a handler
   * that may also run without one.
   */
  handlers: z
    .array(z.tuple([number, number, number, z.boolean(), number.default(0)]))
    .max(200)
    .default([]),
  /** The members that the instructions refer to, in order. */
  references: z.array(number).max(6000).default([]),
  /** The type that declares it. */
  type: number.nullable().default(null),
  /** Types of the app among its parameters. */
  handled: numbers.default([]),
  /** Variables whose types the compiler generated. */
  closures: z.array(room).max(1000).default([]),
  notes: z
    .array(
      z.enum([
        /** It handles something disposable. */
        'disposable',
        /** It reads a sequence that may do its work only when it is enumerated. */
        'lazy-sequence',
        /** Its class creates maps that move an entry to their end when it is read. */
        'access-order',
        /** It holds the lock of its object while it runs. */
        'synchronized',
        /** Its object is of a class that the compiler generated for captured variables. */
        'closure',
        /** It sets the static fields of its type. */
        'initialiser',
      ]),
    )
    .default([]),
});
export type Instructions = z.infer<typeof instructions>;

export type WriteKind = 'field' | 'address' | 'element' | 'lock';

/** The effect of one piece of code by itself. See value-origin.ts for the origins of values. */
export interface CodeBody {
  readonly id: number;
  /** Its effect cannot be followed. */
  readonly isOpaque: boolean;
  /** The kind of place, its holder, the value, and the name of a field. */
  readonly writes: readonly (readonly [kind: WriteKind, holder: number, value: number, field: string | null])[];
  /** Fields of its own object whose values it uses. */
  readonly reads: readonly string[];
  readonly calls: readonly {
    /** The number by which values refer to its result; null if none does. */
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

/** Methods of a type and its subtypes that the platform may call, by name with their code; null if that is unknown. */
const contractFacts = z.object({
  type: number,
  methods: z.array(z.tuple([text(200), numbers.nullable()])).max(20),
});

export const codeFacts = z.object({
  /** The numbers of code and members start over. */
  isReset: z.boolean(),
  /** Type, key and code of the methods that were asked for; null for a method whose code cannot be read. */
  methods: z.array(z.tuple([number, text(8000), number.nullable()])).max(5000),
  members: z.array(memberFacts).max(100_000),
  bodies: z.array(instructions).max(1000),
  contracts: z.array(contractFacts).max(5000),
});
export type CodeFacts = z.infer<typeof codeFacts>;
