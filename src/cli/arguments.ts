/** Turns `name=value` arguments into the parameters of an action. */
import type { ActionParameter } from '../client/node.ts';
import { UsageError } from './failures.ts';

/**
 * A value is read by the type of its parameter: `count=3` is a number for a number, and the text "3" for a text.
 * `name:=<json>` is exact.
 */
export function parseArguments(
  given: readonly string[],
  parameters: readonly ActionParameter[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const argument of given) {
    const [, name, mark, text] = /^([^=:]+)(:?=)(.*)$/s.exec(argument) ?? [];
    if (name === undefined || text === undefined)
      throw new UsageError(`"${argument}" is no name=value (or name:=<json>).`);
    if (name in values) throw new UsageError(`${name} is given twice.`);
    const type = parameters.find((parameter) => parameter.name === name)?.type_name;
    values[name] = mark === ':=' || (type !== undefined && type !== 'string') ? parseJson(name, text) : text;
  }
  return values;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error quotes the argument as typed.
    throw new UsageError(`${name}=${text}: expected a number, true, false, or JSON such as '["a","b"]'.`);
  }
}
