/** What an agent tells of the management beans of a Java program, again whenever others are there. */
import * as z from 'zod';

const text = (max: number) => z.string().max(max);
/** As beans write it: `int`, `java.lang.String`, `[Ljava.lang.String;`. */
const typeName = text(1000);
const description = text(1000).nullable();

const beanKind = z.object({
  /** Those that can be set. */
  attributes: z.array(z.object({ name: text(300), type: typeName, description })).max(500),
  operations: z
    .array(
      z.object({
        name: text(300),
        description,
        /** It says of itself that it only reads. */
        isReading: z.boolean(),
        returns: typeName,
        parameters: z.array(z.object({ name: text(300).nullable(), type: typeName, description })).max(64),
      }),
    )
    .max(1000),
  /** The number of the class whose methods its operations are; null: that is not sure. */
  type: z.number().int().min(0).nullable(),
});
export type BeanKind = z.infer<typeof beanKind>;

export const beanFacts = z.object({
  /** What beans say of themselves, each once. */
  kinds: z.array(beanKind).max(2000),
  beans: z
    .array(
      z.object({
        id: z.number().int().min(0),
        /** In full, its parts in the order of the alphabet: `com.example:name=main,type=Shelf`. */
        name: text(2000),
        /** As the program wrote it. */
        spoken: text(2000),
        /** The domain, the type, the name, and what else is in its name. */
        segments: z.array(text(1000)).min(1).max(50),
        /** Its number among the kinds. */
        kind: z.number().int().min(0),
      }),
    )
    .max(5000),
});
export type BeanFacts = z.infer<typeof beanFacts>;
export type Bean = BeanFacts['beans'][number];
