// The groups of tests: those of a group are below test/<group>/. CONTRIBUTING.md lists their needs.

/** These need nothing but Node. */
export const UNIT = 'unit';
export const PARALLEL = [UNIT, 'fleet', 'jvm', 'clr', 'browser'];
/** Node's inspector has one port for the whole machine, and daemons attach to whatever they see: one file at a time. */
export const SERIAL = ['inspector', 'e2e'];
/** The same, but only on request. */
export const ON_REQUEST = ['faults'];
