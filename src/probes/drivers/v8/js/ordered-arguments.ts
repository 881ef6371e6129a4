/** Named arguments in the order in which a function takes them. */
import type { ActionArguments, RawParameter } from '../../../../model/raw-action.ts';

export function orderedArguments(parameters: readonly RawParameter[], args: ActionArguments): unknown[] {
  const values: unknown[] = [];
  for (const { name, description } of parameters) {
    const value = args[name];
    if (description === 'further arguments' && Array.isArray(value)) values.push(...value);
    else values.push(value);
  }
  // An argument that was not given must not count as given: the function's own default stands.
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  return values;
}
