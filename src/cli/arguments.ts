/** `name=value` of the command line, turned into what an action takes. */
import type { ActionParameter } from '../client/node.ts';
import { UsageError } from './failures.ts';

/**
 * A value is read as its parameter is typed: `count=3` is a number where one is wanted, and the text "3" where a text is.
 * `name:=<json>` says it exactly.
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
    // What is wrong with it is said in words for those who typed it.
    throw new UsageError(`${name}=${text}: expected a number, true, false, or JSON such as '["a","b"]'.`);
  }
}
