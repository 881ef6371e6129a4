import type { Logger } from '../../../src/model/log.ts';

export interface RecordingLogger extends Logger {
  /** Everything at warn and error, as JSON text: easy to search for what must or must not be there. */
  complaints: string[];
}

export function recordingLogger(): RecordingLogger {
  const complaints: string[] = [];
  const note = (fields: object, message: string) => void complaints.push(JSON.stringify({ message, ...fields }));
  return { complaints, debug: () => {}, info: () => {}, warn: note, error: note };
}
