/**
 * What an agent inside a program tells of methods: facts, each once; what is false or empty is left out. What they mean is
 * decided here, in the daemon, for all runtimes alike.
 */
import * as z from 'zod';
import { typeDefinition } from '../arguments/type-definition.ts';
import { codeFacts } from '../effects/code-facts.ts';

const text = (max: number) => z.string().max(max);
const number = z.number().int().min(0);
/** As type-text.ts reads it. */
const typeText = text(2000);

const parameterFacts = z.object({
  /** As the compiler noted it; null: it did not. */
  name: text(300).nullable(),
  type: typeText,
  /** The method has a value for it where it is left out. */
  isOptional: z.boolean().default(false),
  /** It takes as many values as are given. */
  isRest: z.boolean().default(false),
});

export const methodFacts = z.object({
  name: text(1000),
  /** By which the agent knows it among those of its type. */
  key: text(8000),
  parameters: z.array(parameterFacts).max(64),
  returns: z.object({
    type: typeText,
    /** What comes of it later, and is waited for. */
    brings: typeText.nullable().default(null),
    /** Of Java: what its objects are, whatever they are called. */
    holds: z.enum(['list', 'map']).nullable().default(null),
  }),
  flags: z
    .array(
      z.enum([
        'static',
        /** It sets the property of its name. */
        'property',
        /** Its code does nothing. */
        'empty',
        /** Its code gives a field of its object and does nothing else. */
        'getter',
        'throws',
        /** It is written to be called as if it were another type's. */
        'extension',
        /** It gives an object of the type that declares it. */
        'own-type',
        /** A type that is not the app's declares it. */
        'outside',
      ]),
    )
    .max(8)
    .default([]),
  /** Interfaces of the app that declare it. */
  interfaces: z.array(text(300)).max(8).default([]),
  /** Types of the readonly static fields that a static method uses, by itself or through others of its type. */
  held: z.array(text(1000)).max(16).default([]),
  /** A static method uses static fields that can be assigned. */
  usesStatics: z.boolean().default(false),
});
export type MethodFacts = z.infer<typeof methodFacts>;

/** Of a file that code comes from, or of several, with a plus between them. */
const hash = text(1000);

const typeFacts = z.object({
  id: number,
  name: typeText,
  /** Of the files that it, and what it inherits from, come from; null: one of them comes from none. */
  hash: hash.nullable(),
});
export type TypeFacts = z.infer<typeof typeFacts>;

export const typeMethods = z.object({
  /** The type itself, what it extends and what it implements. */
  lineage: z.array(typeText).max(500),
  /** Nothing in its objects ever changes. */
  isValue: z.boolean(),
  isEnum: z.boolean(),
  methods: z.array(methodFacts).max(5000),
});
export type TypeMethods = z.infer<typeof typeMethods>;

/** What the code is in which effects were judged. */
export const codeStamp = z.object({
  /** Of all files that code was loaded from. */
  files: hash,
  /** Of what is loaded of them; empty: there is also code that no file has. */
  loaded: hash,
});
export type CodeStamp = z.infer<typeof codeStamp>;

const place = z.object({
  id: number,
  /** `shop.users{*}.cart`: `[*]` stands for an index, `{*}` for a key. */
  shape: text(1500),
  /** The static fields of its type are what is shown there. */
  isStatic: z.boolean(),
  /** Many other objects of the app were met below it. */
  isLarge: z.boolean(),
  types: z.array(number).max(8),
});
export type Place = z.infer<typeof place>;

export const methodsAnswer = z.object({
  /** Sent back with the next question: an answer that was lost is noticed by it. */
  sequence: number,
  /** All that was told before is void. */
  isReset: z.boolean(),
  types: z.array(typeFacts).max(20_000),
  /** null: as before. `order`: all that are there now, the nearest first. */
  places: z.object({ changed: z.array(place).max(5000), order: z.array(number).max(5000) }).nullable(),
  /** Of the types that were asked for. `isPart`: some could not be looked at, because code is not loaded. */
  methods: z.array(typeMethods.extend({ type: number, isPart: z.boolean().default(false) })).max(5000),
  /** Types that their parameters are of, and what these are made of. */
  definitions: z.array(typeDefinition).max(20_000),
  /** Where it was asked for, and can be told. */
  stamp: codeStamp.nullable(),
  /** Raised when code was loaded, which may override anything. */
  codeVersion: number,
  /** What was asked for. */
  code: codeFacts,
  /** CPU time in ms. */
  costMs: z.number().min(0),
});
export type MethodsAnswer = z.infer<typeof methodsAnswer>;
