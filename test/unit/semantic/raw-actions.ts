import type { RawAction, RawParameter } from '../../../src/model/raw-action.ts';

export function parameter(name: string, type: RawParameter['type'] = null, required = true): RawParameter {
  return { name, type, required };
}

export function rawAction(name: string, given: Partial<RawAction> = {}): RawAction {
  return {
    binding: `${name}#`,
    name,
    parameters: [],
    returns: 'void',
    effect: 'unknown',
    description: `Function ${name}.`,
    ...given,
  };
}
