/** Tells what is public for the sake of other code from what a person might want to be done. */
import type { KnownMethod, KnownParameter, KnownType } from './known-method.ts';
import { uncapitalised } from './method-parameters.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Called by the language or its library. */
const NEVER = words(
  'hashCode equals toString clone compareTo wait notify notifyAll finalize getClass canEqual writeReplace readResolve ' +
    'Equals GetHashCode ToString GetType Finalize Dispose DisposeAsync CompareTo GetEnumerator GetAsyncEnumerator Main ' +
    'Deconstruct MemberwiseClone Clone GetObjectData OnDeserialization InitializeComponent GetTypeCode',
);
/** Objects of such types are handed from one part of a program to another, never in from outside. */
const BETWEEN_PARTS = /(?:Event|EventArgs|Listener|Visitor|Observer|Callback)$/;
const LIFECYCLE = words('init initialize initialise destroy dispose');
/** What a readonly field of such a type holds never changes, or is there to be used, not to be kept. */
const CONSTANT_TYPE = new RegExp(
  '^java\\.(?:lang|math|time|text|nio|net|io|security|util\\.(?:regex|function|logging))\\.|' +
    '^java\\.util\\.(?:Locale|TimeZone|UUID|Comparator|ResourceBundle)$|Logger$|' +
    '^System\\.(?:Text|Threading|IO)\\.|^System\\.(?:Object|Random|String|Decimal|Date\\w+|Time\\w+|Guid|Uri|Version)$|' +
    'Comparer|Logger',
);

/** Whether it is offered at all. */
export function isOffered(type: KnownType, method: KnownMethod): boolean {
  const { name, parameters, flags } = method;
  const isProperty = flags.includes('property');
  if (/[$<.]/.test(name) || (!isProperty && (NEVER.has(name) || /^component\d/.test(name)))) return false;
  if (flags.includes('empty') || parameters.some(isBetweenParts)) return false;
  if (!flags.includes('static')) {
    const isForOthers = flags.includes('outside') || method.interfaces.some((each) => BETWEEN_PARTS.test(each));
    return !isForOthers && !(flags.includes('getter') && !isProperty && parameters.length === 0);
  }
  if (flags.includes('extension') || name === 'main') return false;
  if (type.isEnum && (name === 'values' || name === 'valueOf')) return false;
  // `getInstance()`: the object itself is in the state.
  if (parameters.length === 0 && (flags.includes('own-type') || (flags.includes('getter') && !isProperty)))
    return false;
  return method.usesStatics || holdsState(method);
}

/** Worth showing only where there is little else: computations on values, conversions, factories, lifecycles. */
export function isMinor(type: KnownType, method: KnownMethod): boolean {
  const { name, parameters, returns, flags } = method;
  // `Shop$1`.
  if (/\$\d/.test(type.name) || (LIFECYCLE.has(uncapitalised(name)) && !flags.includes('property'))) return true;
  // Any object at all: for code that looks into objects, as this does.
  if (parameters.some(({ isAny }) => isAny)) return true;
  if (returns.text === 'void') return false;
  // It reads from a list or map that is there for ever, and may be a table of constants.
  if (flags.includes('static')) return flags.includes('own-type') || !method.usesStatics;
  return (parameters.length === 0 && /^(?:[Tt]o|[Aa]s)(?![a-z])/.test(name)) || type.isValue;
}

function holdsState({ held }: KnownMethod): boolean {
  return held.some((type) => !CONSTANT_TYPE.test(type));
}

function isBetweenParts({ text, isEvent, json }: KnownParameter): boolean {
  return isEvent || (json === 'object' && BETWEEN_PARTS.test(text.replace(/<.*$/s, '')));
}
