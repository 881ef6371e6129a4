/** Decides which public methods a person might want to call, and which exist only for other code. */
import type { KnownMethod, KnownParameter, KnownType } from './known-method.ts';
import { uncapitalised } from './method-parameters.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Methods that the language or its library calls. */
const NEVER = words(
  'hashCode equals toString clone compareTo wait notify notifyAll finalize getClass canEqual writeReplace readResolve ' +
    'Equals GetHashCode ToString GetType Finalize Dispose DisposeAsync CompareTo GetEnumerator GetAsyncEnumerator Main ' +
    'Deconstruct MemberwiseClone Clone GetObjectData OnDeserialization InitializeComponent GetTypeCode',
);
/** Objects of such types pass between parts of a program, and never come from outside. */
const BETWEEN_PARTS = /(?:Event|EventArgs|Listener|Visitor|Observer|Callback)$/;
const LIFECYCLE = words('init initialize initialise destroy dispose');
/** The value of a readonly field of such a type never changes, or is a tool rather than state. */
const CONSTANT_TYPE = new RegExp(
  '^java\\.(?:lang|math|time|text|nio|net|io|security|util\\.(?:regex|function|logging))\\.|' +
    '^java\\.util\\.(?:Locale|TimeZone|UUID|Comparator|ResourceBundle)$|Logger$|' +
    '^System\\.(?:Text|Threading|IO)\\.|^System\\.(?:Object|Random|String|Decimal|Date\\w+|Time\\w+|Guid|Uri|Version)$|' +
    'Comparer|Logger',
);

/** Whether the method is offered at all. */
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
  // `getInstance()`: the state shows the object itself.
  if (parameters.length === 0 && (flags.includes('own-type') || (flags.includes('getter') && !isProperty)))
    return false;
  return method.usesStatics || holdsState(method);
}

/** Methods to show only if there is little else: computations on values, conversions, factories, lifecycle methods. */
export function isMinor(type: KnownType, method: KnownMethod): boolean {
  const { name, parameters, returns, flags } = method;
  // An anonymous class such as `Shop$1`.
  if (/\$\d/.test(type.name) || (LIFECYCLE.has(uncapitalised(name)) && !flags.includes('property'))) return true;
  // A parameter of any type is for code that inspects objects, as this code does.
  if (parameters.some(({ isAny }) => isAny)) return true;
  if (returns.text === 'void') return false;
  // A static method without mutable statics reads lists or maps that may be tables of constants.
  if (flags.includes('static')) return flags.includes('own-type') || !method.usesStatics;
  return (parameters.length === 0 && /^(?:[Tt]o|[Aa]s)(?![a-z])/.test(name)) || type.isValue;
}

function holdsState({ held }: KnownMethod): boolean {
  return held.some((type) => !CONSTANT_TYPE.test(type));
}

function isBetweenParts({ text, isEvent, json }: KnownParameter): boolean {
  return isEvent || (json === 'object' && BETWEEN_PARTS.test(text.replace(/<.*$/s, '')));
}
