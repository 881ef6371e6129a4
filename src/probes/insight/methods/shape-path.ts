/** The shape of a path, such as `shop.users{*}.cart`, which gives an action its name and its first parameters. */
import { joinPath } from '../../../model/path.ts';
import type { ActionArguments } from '../../../model/raw-action.ts';

const MAX_GIVEN = 80;

/** `[*]` needs an index, `{*}` a key. */
export interface Gap {
  readonly name: string;
  readonly kind: 'index' | 'key';
}

export class ShapePath {
  readonly gaps: readonly Gap[];
  /** 1 for a root; each member, element or entry adds one. */
  readonly depth: number;
  /** It passes a constant that is an object (`Direction.NORTH`). */
  readonly isConstant: boolean;
  private readonly stem: string;
  private readonly steps: readonly Step[];

  constructor(shape: string) {
    const steps = stepsOf(shape);
    this.steps = steps;
    const counts = { index: 0, key: 0 };
    this.gaps = steps.flatMap(({ gap }) => {
      if (gap === null) return [];
      const count = ++counts[gap];
      return [{ kind: gap, name: count === 1 ? gap : `${gap}${count}` }];
    });
    this.depth = steps.length;
    // A list or map of constants is no constant.
    this.isConstant = steps.some(
      ({ text }, at) => isWrittenAsConstant(text) && /^(?:\.|$)/.test(steps[at + 1]?.text ?? ''),
    );
    this.stem = steps.map(({ text, gap }) => (gap === null ? text : '')).join('');
  }

  /** The shape without its gaps, followed by the method. */
  nameOf(method: string): string {
    return joinPath(this.stem, method);
  }

  /** The path of the object; `open` are the gaps without an argument. `map`: the runtime's word for a map. */
  fill(args: ActionArguments, map: string): { readonly path: string; readonly open: readonly Gap[] } | string {
    const open: Gap[] = [];
    let path = '';
    let next = 0;
    for (const { text, gap: kind } of this.steps) {
      const gap = kind === null ? undefined : this.gaps[next++];
      const given = gap === undefined ? undefined : args[gap.name];
      if (gap === undefined) path += text;
      else if (given === undefined || given === null) {
        open.push(gap);
        path += text;
      } else if (gap.kind === 'index' && typeof given === 'number' && Number.isInteger(given) && given >= 0)
        path = joinPath(path, given);
      else if (gap.kind === 'key' && typeof given !== 'object' && !Number.isNaN(given))
        path = joinPath(path, String(given));
      else return `${gap.name} is ${textOf(given)}; expected ${expected(gap, map)}`;
    }
    return { path, open };
  }

  /** Renames a parameter of a method that has the name of a gap. */
  nameFor(parameter: string): string {
    return this.gaps.some(({ name }) => name === parameter) ? `${parameter}_argument` : parameter;
  }
}

/** `.users`, `["odd key"]`, `[3]` or a gap. */
interface Step {
  readonly text: string;
  readonly gap: Gap['kind'] | null;
}

function stepsOf(shape: string): Step[] {
  const found = shape.match(/\[\*\]|\{\*\}|\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]|\.?[^.[{]+|[.[{]/g) ?? [];
  return found.map((text) => ({ text, gap: text === '[*]' ? 'index' : text === '{*}' ? 'key' : null }));
}

/** All capitals, except for a singleton, whose methods are worth calling. */
function isWrittenAsConstant(step: string): boolean {
  return /^\.[A-Z0-9_]{2,}$/.test(step) && !step.startsWith('.INSTANCE');
}

/** Describes the argument for a gap. */
export function expected({ kind }: Gap, map: string): string {
  return kind === 'index' ? 'which element of the list, from 0' : `which entry of the ${map}`;
}

function textOf(given: unknown): string {
  if (typeof given === 'object') return Array.isArray(given) ? 'an array' : 'an object';
  const text = JSON.stringify(given) ?? String(given);
  return text.length > MAX_GIVEN ? `${text.slice(0, MAX_GIVEN)}…` : text;
}
