/** The facts that an agent reports about the roots of a program: the places where its state begins. */
import * as z from 'zod';

const MAX_ROOTS = 10_000;
const text = (max: number) => z.string().max(max).nullable();

const rootFacts = z.object({
  /** The first segment of paths below it, stable while the object exists. */
  id: z.number().int().min(0),
  /**
   * How the root is held. `fixed`: `name` is its name, and no other root has it. `statics`, `constants`: static fields
   * of a type. `single`: the only object of a type. `bean`, `service`: from a container. `local`: a variable with a
   * known name. `held`: by another object; `elements`: a collection of objects of the type; `closure`: of a method.
   * `variables`: of the namespace `name`, or of a script or REPL, where `type` is the kind of variable.
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
  /** In the notation of the runtime. */
  type: text(2000),
  /** The name of the variable, bean or method. */
  name: text(1000),
  /** The method of a variable, or its holder in words. */
  where: text(2000),
});
export type RootFacts = z.infer<typeof rootFacts>;

export const rootsUpdate = z.object({
  /** The ids of all roots, in the order in which they are read. */
  order: z.array(rootFacts.shape.id).max(MAX_ROOTS),
  /** Roots that are not in the previous order. */
  added: z.array(rootFacts).max(MAX_ROOTS),
});
export type RootsUpdate = z.infer<typeof rootsUpdate>;
