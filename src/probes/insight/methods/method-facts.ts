/**
 * The facts that an agent inside a program reports about methods, each once; false and empty values are left out. The
 * daemon decides what they mean, for all runtimes alike.
 */
import * as z from 'zod';
import { typeDefinition } from '../arguments/type-definition.ts';
import { codeFacts } from '../effects/code-facts.ts';

const text = (max: number) => z.string().max(max);
const number = z.number().int().min(0);
/** In the notation of type-text.ts. */
const typeText = text(2000);

const parameterFacts = z.object({
  /** The name that the compiler kept; null if it kept none. */
  name: text(300).nullable(),
  type: typeText,
  /** The method has a default for it. */
  isOptional: z.boolean().default(false),
  /** It takes any number of values. */
  isRest: z.boolean().default(false),
});

export const methodFacts = z.object({
  name: text(1000),
  /** The key of the method within its type. */
  key: text(8000),
  parameters: z.array(parameterFacts).max(64),
  returns: z.object({
    type: typeText,
    /** The type of the result that arrives later, and is awaited. */
    brings: typeText.nullable().default(null),
    /** Java only: the kind of collection, whatever its class is called. */
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
        /** Its code returns a field of its object and does nothing else. */
        'getter',
        'throws',
        /** An extension method, called like a method of another type. */
        'extension',
        /** It returns an object of the type that declares it. */
        'own-type',
        /** A type that does not belong to the app declares it. */
        'outside',
      ]),
    )
    .max(8)
    .default([]),
  /** Interfaces of the app that declare it. */
  interfaces: z.array(text(300)).max(8).default([]),
  /** Types of the readonly static fields that a static method uses, directly or through methods of its type. */
  held: z.array(text(1000)).max(16).default([]),
  /** A static method uses static fields that can be assigned. */
  usesStatics: z.boolean().default(false),
});
export type MethodFacts = z.infer<typeof methodFacts>;

/** The hash of a file with code, or of several, joined by `+`. */
const hash = text(1000);

const typeFacts = z.object({
  id: number,
  name: typeText,
  /** The hash of the files of the type and its supertypes; null if one of them comes from no file. */
  hash: hash.nullable(),
});
export type TypeFacts = z.infer<typeof typeFacts>;

export const typeMethods = z.object({
  /** The type itself, its superclasses and its interfaces. */
  lineage: z.array(typeText).max(500),
  /** Its objects are immutable. */
  isValue: z.boolean(),
  isEnum: z.boolean(),
  methods: z.array(methodFacts).max(5000),
});
export type TypeMethods = z.infer<typeof typeMethods>;

/** Identifies the code in which effects were judged. */
export const codeStamp = z.object({
  /** The hash of all files that code was loaded from. */
  files: hash,
  /** The hash of the loaded classes; empty if some of them come from no file. */
  loaded: hash,
});
export type CodeStamp = z.infer<typeof codeStamp>;

const place = z.object({
  id: number,
  /** `shop.users{*}.cart`: `[*]` stands for an index, `{*}` for a key. */
  shape: text(1500),
  /** The place shows the static fields of its type. */
  isStatic: z.boolean(),
  /** Many other objects of the app are below it. */
  isLarge: z.boolean(),
  types: z.array(number).max(8),
});
export type Place = z.infer<typeof place>;

export const methodsAnswer = z.object({
  /** Returned with the next question, so that a lost answer is noticed. */
  sequence: number,
  /** Discards everything reported before. */
  isReset: z.boolean(),
  types: z.array(typeFacts).max(20_000),
  /** Null if nothing changed. `order`: all current places, the nearest first. */
  places: z.object({ changed: z.array(place).max(5000), order: z.array(number).max(5000) }).nullable(),
  /** Methods of the types that were asked for. `isPart`: some could not be read because code is not loaded. */
  methods: z.array(typeMethods.extend({ type: number, isPart: z.boolean().default(false) })).max(5000),
  /** The types of the parameters, and the types these are made of. */
  definitions: z.array(typeDefinition).max(20_000),
  /** Null if it was not asked for, or cannot be determined. */
  stamp: codeStamp.nullable(),
  /** Raised when code was loaded, since that may override anything. */
  codeVersion: number,
  /** The code that was asked for. */
  code: codeFacts,
  /** CPU time in ms. */
  costMs: z.number().min(0),
});
export type MethodsAnswer = z.infer<typeof methodsAnswer>;
