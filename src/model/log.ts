/** The interface of the logger (cli/log.ts) for the rest of the code. Never pass keys or captured values. */
export interface Logger {
  /** Absent if nobody reads traces. */
  trace?(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
