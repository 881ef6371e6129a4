/** What an agent tells of the roots of a program: places where its state begins. */
import * as z from 'zod';

const MAX_ROOTS = 10_000;
const text = (max: number) => z.string().max(max).nullable();

const rootFacts = z.object({
  /** The first segment of paths below it; the same as long as the object lives. */
  id: z.number().int().min(0),
  /**
   * How it is held. `fixed`: `name` is its name, and nothing else has it. `statics`, `constants`: static fields of a
   * type. `single`: the one object of a type. `bean`, `service`: of a container. `local`: a variable, where its name is
   * known. `held`: by something else; `elements`: a collection of objects of the type; `closure`: of a method.
   * `variables`: of a namespace, which `name` is, or of a script or REPL without one, whose kind of variable is `type`.
   */
  kind: z.enum([
    'fixed',
    'statics',
    'constants',
    'single',
    'bean',
    'service',
    'local',
    'held',
    'elements',
    'closure',
    'variables',
  ]),
  /** As the runtime writes it. */
  type: text(2000),
  /** Of the variable, the bean, the method. */
  name: text(1000),
  /** The method of a variable, or what holds it, in words. */
  where: text(2000),
});
export type RootFacts = z.infer<typeof rootFacts>;

export const rootsUpdate = z.object({
  /** Of all roots, in the order in which they are read. */
  order: z.array(rootFacts.shape.id).max(MAX_ROOTS),
  /** Those that the last order did not have. */
  added: z.array(rootFacts).max(MAX_ROOTS),
});
export type RootsUpdate = z.infer<typeof rootsUpdate>;
