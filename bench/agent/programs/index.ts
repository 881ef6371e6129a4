import type { App } from '../app.ts';

export const PROGRAMS: readonly App[] = [];
