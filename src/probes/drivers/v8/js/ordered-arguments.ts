/** Named arguments in the order of the function's parameters. */
import type { ActionArguments, RawParameter } from '../../../../model/raw-action.ts';

export function orderedArguments(parameters: readonly RawParameter[], args: ActionArguments): unknown[] {
  const values: unknown[] = [];
  for (const { name, description } of parameters) {
    const value = args[name];
    if (description === 'further arguments' && Array.isArray(value)) values.push(...value);
    else values.push(value);
  }
  // An omitted argument must not count as given: the function's own default applies.
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  return values;
}
