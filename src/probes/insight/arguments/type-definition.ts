/** What an agent tells of a type of the app whose objects may be made of JSON: facts, each once. */
import * as z from 'zod';

const text = (max: number) => z.string().max(max);
const typeText = text(2000);

const member = z.object({ name: text(300), type: typeText });

export const typeDefinition = z.object({
  /** In full. */
  name: typeText,
  /** Of the file that it comes from; null: from none. */
  hash: text(1000).nullable(),
  /** `value`: of .NET, made of nothing where it has no constructor. */
  kind: z.enum(['enum', 'interface', 'abstract', 'class', 'value']),
  /** The type itself, what it extends and what it implements. */
  lineage: z.array(typeText).max(500),
  /** What its members may use instead of a type, in the order of the angle brackets. */
  variables: z.array(text(300)).max(50).default([]),
  /** Of an enum: names and, of .NET, numbers. */
  constants: z
    .array(z.tuple([text(300), text(30).nullable()]))
    .max(1000)
    .default([]),
  /** Several constants may be given together. */
  isFlags: z.boolean().default(false),
  constructors: z
    .array(
      z.object({
        /** By which the agent knows it. */
        key: text(4000),
        /** null: the compiler noted no names. */
        parameters: z
          .array(member.extend({ isOptional: z.boolean().default(false) }))
          .max(300)
          .nullable(),
        /** Only its own class may call it. */
        isPrivate: z.boolean().default(false),
      }),
    )
    .max(100)
    .default([]),
  /** What can be set once it is made. */
  members: z.array(member).max(1000).default([]),
});
export type TypeDefinition = z.infer<typeof typeDefinition>;

/** Asked for before a call: what its values may be, and what those are that they name. */
export const describedTypes = z.object({
  definitions: z.array(typeDefinition).max(2000),
  /** Of each path that was asked for: null where there is no object. */
  named: z.array(z.object({ name: typeText, lineage: z.array(typeText).max(500) }).nullable()).max(1000),
});
export type DescribedTypes = z.infer<typeof describedTypes>;
