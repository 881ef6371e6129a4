/**
 * What an agent inside a program tells of methods: facts, each once; what is false or empty is left out. What they mean is
 * decided here, in the daemon, for all runtimes alike.
 */
import * as z from 'zod';
import { codeFacts } from '../effects/code-facts.ts';

const text = (max: number) => z.string().max(max);
const number = z.number().int().min(0);
const jsonType = z.enum(['string', 'number', 'boolean', 'object', 'array']);

const parameterFacts = z.object({
  /** As the compiler noted it; null: it did not. */
  name: text(300).nullable(),
  /** The type as the language writes it, without packages: `List<Item>`. */
  text: text(1000),
  /** null: any JSON value is taken. */
  json: jsonType.nullable(),
  /** What a value looks like, where the type of JSON does not say it: `one of NEW, PAID`. */
  hint: text(2000).nullable().default(null),
  isOptional: z.boolean().default(false),
  /** Declared as any object at all. */
  isAny: z.boolean().default(false),
  /** Something that happened: what event handlers are given. */
  isEvent: z.boolean().default(false),
});
export type ParameterFacts = z.infer<typeof parameterFacts>;

export const methodFacts = z.object({
  name: text(1000),
  parameters: z.array(parameterFacts).max(64),
  returns: z.object({ text: text(1000), json: z.union([jsonType, z.enum(['void', 'unknown'])]) }),
  /** Types of which the state must show an object before it can be called. */
  needs: z.array(number).max(64).default([]),
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

const typeFacts = z.object({
  id: number,
  /** Without its package; a nested type by its own name. */
  name: text(1000),
  package: text(1000),
  /** The type itself, what it extends and what it implements. */
  lineage: z.array(number).max(500),
  /** Nothing in its objects ever changes. */
  isValue: z.boolean(),
  isEnum: z.boolean(),
});
export type TypeFacts = z.infer<typeof typeFacts>;

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
  methods: z.array(z.object({ type: number, methods: z.array(methodFacts).max(5000) })).max(5000),
  /** All methods are told that will be. */
  isListed: z.boolean(),
  /** Raised when code was loaded, which may override anything. */
  codeVersion: number,
  /** What was asked for. */
  code: codeFacts,
  /** CPU time in ms. */
  costMs: z.number().min(0),
});
export type MethodsAnswer = z.infer<typeof methodsAnswer>;
