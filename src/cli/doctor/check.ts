/** The result of one check of the installation. */
export interface Check {
  /** For programs: stable. */
  readonly id: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly remedy: string | null;
}

export function ok(id: string, message: string): Check {
  return { id, status: 'ok', message, remedy: null };
}

export function warning(id: string, message: string, remedy: string | null): Check {
  return { id, status: 'warning', message, remedy };
}

export function problem(id: string, message: string, remedy: string | null): Check {
  return { id, status: 'problem', message, remedy };
}
