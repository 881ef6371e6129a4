export const PARALLEL: readonly string[];
export const SERIAL: readonly string[];
export const ON_REQUEST: readonly string[];
