/** What the names of Java classes tell. */
import type { RootTraits } from '../../insight/roots/root-catalog.ts';
import type { TypeNames } from '../../insight/roots/root-names.ts';

const TYPE_NAMES: TypeNames = {
  /** `Inner` for `com.example.Outer$Inner`; a class that begins with a digit has no name of its own. */
  simple(type) {
    const last = /[^.$]*$/.exec(type.replace(/\$+$/, ''))?.[0] ?? '';
    return last === '' || /^\d/.test(last) ? null : last;
  },
  withOuter(type) {
    const last = /[^.]*$/.exec(type.replace(/\$+$/, ''))?.[0] ?? '';
    return last.indexOf('$') > 0 ? last.replaceAll('$', '_') : null;
  },
};

/** The sessions of web servers are one root. */
export const JAVA_ROOTS: RootTraits = { types: TYPE_NAMES, reserved: ['sessions'] };
