/** The facts that an agent reports about the management beans of a Java program, again whenever the beans change. */
import * as z from 'zod';

const text = (max: number) => z.string().max(max);
/** In the notation of beans: `int`, `java.lang.String`, `[Ljava.lang.String;`. */
const typeName = text(1000);
const description = text(1000).nullable();

const beanKind = z.object({
  /** Only those that can be set. */
  attributes: z.array(z.object({ name: text(300), type: typeName, description })).max(500),
  operations: z
    .array(
      z.object({
        name: text(300),
        description,
        /** The bean declares that it only reads. */
        isReading: z.boolean(),
        returns: typeName,
        parameters: z.array(z.object({ name: text(300).nullable(), type: typeName, description })).max(64),
      }),
    )
    .max(1000),
  /** The number of the class that declares its operations; null if that is not certain. */
  type: z.number().int().min(0).nullable(),
});
export type BeanKind = z.infer<typeof beanKind>;

export const beanFacts = z.object({
  /** Descriptions that several beans may share. */
  kinds: z.array(beanKind).max(2000),
  beans: z
    .array(
      z.object({
        id: z.number().int().min(0),
        /** The full name with sorted properties: `com.example:name=main,type=Shelf`. */
        name: text(2000),
        /** The name as the program wrote it. */
        spoken: text(2000),
        /** The domain, the type, the name, and the other properties. */
        segments: z.array(text(1000)).min(1).max(50),
        /** The index of its description in `kinds`. */
        kind: z.number().int().min(0),
      }),
    )
    .max(5000),
});
export type BeanFacts = z.infer<typeof beanFacts>;
export type Bean = BeanFacts['beans'][number];
