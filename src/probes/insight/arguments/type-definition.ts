/** The facts that an agent reports about a type of the app whose objects may be made from JSON, each fact once. */
import * as z from 'zod';

const text = (max: number) => z.string().max(max);
const typeText = text(2000);

const member = z.object({ name: text(300), type: typeText });

export const typeDefinition = z.object({
  /** The full name. */
  name: typeText,
  /** The hash of the file that it comes from; null if it comes from none. */
  hash: text(1000).nullable(),
  /** `value`: a struct of .NET, which exists without a constructor. */
  kind: z.enum(['enum', 'interface', 'abstract', 'class', 'value']),
  /** The type itself, its superclasses and its interfaces. */
  lineage: z.array(typeText).max(500),
  /** Its type variables, in the order of the angle brackets. */
  variables: z.array(text(300)).max(50).default([]),
  /** The constants of an enum: names and, in .NET, numbers. */
  constants: z
    .array(z.tuple([text(300), text(30).nullable()]))
    .max(1000)
    .default([]),
  /** True if several constants can be combined. */
  isFlags: z.boolean().default(false),
  constructors: z
    .array(
      z.object({
        /** The key by which the agent finds the constructor. */
        key: text(4000),
        /** Null if the compiler kept no names. */
        parameters: z
          .array(member.extend({ isOptional: z.boolean().default(false) }))
          .max(300)
          .nullable(),
        /** True if only its own class may call it. */
        isPrivate: z.boolean().default(false),
      }),
    )
    .max(100)
    .default([]),
  /** The members that can be set after the object is created. */
  members: z.array(member).max(1000).default([]),
});
export type TypeDefinition = z.infer<typeof typeDefinition>;

/** The answer to the question before a call: the types of its parameters, and the objects that its arguments name. */
export const describedTypes = z.object({
  definitions: z.array(typeDefinition).max(2000),
  /** For each path that was asked for; null if there is no object. */
  named: z.array(z.object({ name: typeText, lineage: z.array(typeText).max(500) }).nullable()).max(1000),
});
export type DescribedTypes = z.infer<typeof describedTypes>;
