/**
 * Returns the genuine built-ins, whatever the page has put in their place. It is evaluated separately, before the
 * agent, so it uses none of them before it has checked it: only operators, and `fn.toString()`, which needs neither
 * `call` nor `apply`. Null if one that the agent needs has been replaced, and there is no other way to it.
 */
export default function findIntrinsics(): Record<string, unknown> | null {
  type Members = Record<string | symbol, unknown>;
  const isNative = (fn: unknown, name: string): boolean => {
    try {
      return typeof fn === 'function' && fn.toString() === `function ${name}() { [native code] }`;
    } catch {
      // An object that throws is not genuine.
      return false;
    }
  };
  const makerOf = (value: unknown): unknown => (value as { constructor?: unknown }).constructor;
  /** Ways to a built-in without its name. Zone.js, for example, has a Promise of its own. */
  const others: Record<string, () => unknown> = {
    Object: () => makerOf({}),
    Function: () => makerOf(() => undefined),
    Array: () => makerOf([]),
    String: () => makerOf(''),
    Number: () => makerOf(0),
    Boolean: () => makerOf(true),
    BigInt: () => makerOf(0n),
    RegExp: () => makerOf(/x/),
    Promise: () => makerOf((async () => undefined)()),
  };
  /** The members that the agent uses: of the built-in itself, and of its prototype. */
  const needed: [name: string, own: string, inherited: string][] = [
    [
      'Object',
      'keys getOwnPropertyDescriptor getOwnPropertyNames getOwnPropertySymbols getPrototypeOf setPrototypeOf create is defineProperty',
      '',
    ],
    ['Function', '', 'call apply'],
    [
      'Array',
      'isArray',
      'push pop shift unshift slice splice map filter some every find findIndex includes indexOf join sort flatMap reduce entries keys values',
    ],
    [
      'String',
      '',
      'slice startsWith endsWith includes indexOf lastIndexOf split trim match replace toLowerCase toUpperCase',
    ],
    ['Number', 'isFinite isNaN', 'valueOf'],
    ['Boolean', '', 'valueOf'],
    ['Symbol', '', 'valueOf'],
    ['BigInt', '', 'valueOf'],
    ['RegExp', '', 'exec test'],
    // Zone.js replaces its members; the agent only awaits.
    ['Promise', '', ''],
    ['Map', '', 'get set has delete clear forEach entries keys values'],
    ['Set', '', 'add has delete clear forEach values'],
    ['WeakMap', '', 'get set has delete'],
    ['WeakSet', '', 'add has delete'],
    ['Date', '', 'getTime toISOString'],
    ['Uint8Array', '', ''],
    ['DataView', '', ''],
    ['ArrayBuffer', '', ''],
    ['JSON', 'parse stringify', ''],
    ['Reflect', 'apply ownKeys', ''],
    ['Math', 'min max round', ''],
  ];
  const isWhole = (value: unknown, own: string, inherited: string): boolean => {
    for (const [holder, list] of [
      [value, own],
      [(value as { prototype?: unknown }).prototype, inherited],
    ] as [Members, string][]) {
      let name = '';
      // By hand, because `split` may have been replaced.
      for (let at = 0; at <= list.length; at++) {
        const letter = list[at];
        if (letter !== undefined && letter !== ' ') name += letter;
        else {
          if (name !== '' && !isNative(holder[name], name)) return false;
          name = '';
        }
      }
    }
    return true;
  };
  const escaped = (text: string): string => {
    let result = '"';
    for (let at = 0; at < text.length; at++) {
      const letter = text[at] ?? '';
      if (letter === '"' || letter === '\\') result += `\\${letter}`;
      else if (letter === '\n') result += '\\n';
      // The others are not needed: texts only use line ends and tabs.
      else result += letter < ' ' || (letter >= '\ud800' && letter <= '\udfff') ? ' ' : letter;
    }
    return `${result}"`;
  };
  const writeJson = (value: unknown): string => {
    if (typeof value === 'string') return escaped(value);
    if (typeof value !== 'object' || value === null) return `${value as number}`;
    const parts = value as Record<string, unknown> & unknown[];
    let result = '';
    // The written objects are the agent's own, without a prototype: a length means a list.
    if (typeof parts.length === 'number') {
      for (let at = 0; at < parts.length; at++) result += `${at > 0 ? ',' : ''}${writeJson(parts[at])}`;
      return `[${result}]`;
    }
    for (const key in parts) {
      if (parts[key] !== undefined) result += `${result === '' ? '' : ','}${escaped(key)}:${writeJson(parts[key])}`;
    }
    return `{${result}}`;
  };
  const refuseJson = (): never => {
    throw new Error('the page has replaced JSON');
  };
  // The loops below use the iterator of arrays.
  const iterate = ([] as unknown as Members)[Symbol.iterator];
  if (!isNative(iterate, 'values') || !isNative([][Symbol.iterator]().next, 'next')) return null;
  const found = { __proto__: null } as unknown as Record<string, unknown>;
  for (const [name, own, inherited] of needed) {
    const isSpace = inherited === '' && own !== '' && others[name] === undefined;
    let value = (globalThis as unknown as Members)[name];
    // An alternative way is preferred: a replacement may claim to be native.
    if (!isSpace) value = others[name]?.() ?? value;
    const isGenuine = value !== undefined && value !== null && (isSpace || isNative(value, name));
    if (isGenuine && isWhole(value, own, inherited)) found[name] = value;
    // The only one that can be replaced: the agent writes plain data.
    else if (name === 'JSON') found[name] = { stringify: writeJson, parse: refuseJson };
    else return null;
  }
  return found;
}
