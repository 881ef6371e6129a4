/** What the rest of the code needs of a logger (cli/log.ts). Never pass keys or captured values. */
export interface Logger {
  /** Absent: nobody wants to know. */
  trace?(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
