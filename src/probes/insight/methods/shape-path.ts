/** The shape of a path, `shop.users{*}.cart`: what an action is called, what it must be told. */
import { joinPath } from '../../../model/path.ts';

/** `[*]` asks for an index, `{*}` for a key. */
export interface Gap {
  readonly name: string;
  readonly kind: 'index' | 'key';
}

export class ShapePath {
  readonly gaps: readonly Gap[];
  /** 1 for a root; each member, element and entry is one deeper. */
  readonly depth: number;
  /** It leads over a constant that is an object by itself (`Direction.NORTH`). */
  readonly isConstant: boolean;
  private readonly stem: string;

  constructor(shape: string) {
    const steps = stepsOf(shape);
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

  /** The shape without its gaps, and the method. */
  nameOf(method: string): string {
    return joinPath(this.stem, method);
  }

  /** A parameter of a method that is called like one of the gaps gets another name. */
  nameFor(parameter: string): string {
    return this.gaps.some(({ name }) => name === parameter) ? `${parameter}_argument` : parameter;
  }
}

/** `.users`, `["odd key"]`, `[3]` or a gap. */
function stepsOf(shape: string): { text: string; gap: Gap['kind'] | null }[] {
  const found = shape.match(/\[\*\]|\{\*\}|\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]|\.?[^.[{]+|[.[{]/g) ?? [];
  return found.map((text) => ({ text, gap: text === '[*]' ? 'index' : text === '{*}' ? 'key' : null }));
}

/** All capitals, but not the one object of a class, which is what there is to call. */
function isWrittenAsConstant(step: string): boolean {
  return /^\.[A-Z0-9_]{2,}$/.test(step) && !step.startsWith('.INSTANCE');
}
