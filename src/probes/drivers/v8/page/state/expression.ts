/// <reference path="../../agent-source.d.ts" />
/** The source that creates the state agent when it is evaluated in a page. Daemon side. */
import type { PageAgentOptions } from '../protocol.ts';
import intrinsics from './intrinsics.ts?agent';
import agent from './main.ts?agent';

/** The names that the agent uses; those of the page are shadowed by genuine ones. */
const NAMES = (
  'Object Function Array String Number Boolean Symbol BigInt RegExp Promise Map Set WeakMap WeakSet Date Uint8Array DataView ' +
  'ArrayBuffer JSON Reflect Math'
).split(' ');

/** Functions that the bundles use before their first line; a page that has replaced one of them gets no agent. */
const GUARD = [
  ['O.defineProperty', 'defineProperty'],
  ['O.getOwnPropertyDescriptor', 'getOwnPropertyDescriptor'],
  ['O.getOwnPropertyNames', 'getOwnPropertyNames'],
  ['O.prototype.hasOwnProperty', 'hasOwnProperty'],
  ['n.call', 'call'],
  ['[][Symbol.iterator]', 'values'],
  ['[][Symbol.iterator]().next', 'next'],
]
  .map(([member, name]) => `n(${member},'${name}')`)
  .join('&&');
const IS_NATIVE = "(f,n)=>typeof f==='function'&&f.toString()==='function '+n+'() { [native code] }'";

/** Evaluates to the genuine built-ins by name; null if one of them is no longer available. No code of the page runs. */
export function intrinsicsExpression(): string {
  return `((O,n)=>${GUARD}?((Object)=>${intrinsics}())(O):null)(({}).constructor,${IS_NATIVE})`;
}

/** Evaluates to the agent, or null if the page has replaced a built-in that is no longer available. */
export function stateAgentExpression(options: PageAgentOptions): string {
  const found = NAMES.map((name) => `i.${name}`).join(',');
  const made = `((${NAMES.join(',')})=>${agent}(${JSON.stringify(options)}))(${found})`;
  return `((i)=>i===null?null:${made})(${intrinsicsExpression()})`;
}
