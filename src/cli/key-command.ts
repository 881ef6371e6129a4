/** The common part of the commands on the keys file, which need no running daemon. */
import { loadConfig } from '../config.ts';
import { KeyStore } from '../store/key-store.ts';

export interface KeyCommandOptions {
  /** From `--config`. */
  configFile?: string | undefined;
  env: NodeJS.ProcessEnv;
  homeDir: string;
  /** From `--json`: one JSON value instead of lines for people. */
  json?: boolean | undefined;
  stdout: (line: string) => void;
  /** The width of the terminal; undefined if there is none. */
  width?: number | undefined;
  /** Remarks besides the result, such as a malformed entry of the file. */
  stderr: (line: string) => void;
}

export function openKeyStore(options: KeyCommandOptions): { store: KeyStore; keysFile: string } {
  const { configFile, env, homeDir, stderr } = options;
  const { keysFile } = loadConfig({ configFile, env, homeDir }).paths;
  const remark = (fields: object, message: string) => stderr(`${message}: ${JSON.stringify(fields)}`);
  const logger = { debug: () => {}, info: () => {}, warn: remark, error: remark };
  return { store: new KeyStore({ file: keysFile, logger }), keysFile };
}
