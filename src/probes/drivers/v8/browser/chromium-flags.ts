/** The flags that a program of the Chromium family needs so that it can be attached to. Never overrides given flags. */

export interface ChromiumFlags {
  /** Put first, because addresses may follow, or a `--` after which nothing is an option. */
  readonly added: readonly string[];
  readonly remarks: readonly string[];
}

const PORT = '--remote-debugging-port';
const PROFILE = '--user-data-dir';
/** With these the program prints something and ends, or was started by itself. */
const NO_START = /^(?:-h|--help|--version|--product-version|--type=.*)$/;
/** Debian's launcher creates a profile for this flag. */
const OWN_PROFILE = '--temp-profile';

/** `profile`: the folder to use if none is given; null if the program needs none. */
export function chromiumFlags(args: readonly string[], profile: string | null): ChromiumFlags {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  if (options.some((option) => NO_START.test(option))) return { added: [], remarks: [] };
  const port = optionValue(options, PORT);
  const folder = optionValue(options, PROFILE);
  const needsFolder = profile !== null && folder === null && !options.includes(OWN_PROFILE);
  return {
    added: [...(port === null ? [`${PORT}=0`] : []), ...(needsFolder ? [`${PROFILE}=${profile}`] : [])],
    remarks: [
      ...(port === null || /^\d+$/.test(port) ? [] : [`${PORT} is given without a number, and opens no port.`]),
      ...(options.includes('--remote-debugging-pipe')
        ? ['--remote-debugging-pipe needs open files that are not passed on: leave it away.']
        : []),
      ...(folder === '' && profile !== null
        ? [`${PROFILE} is given without a folder: recent versions open no port on their default profile.`]
        : []),
      ...(needsFolder && options.some((option) => option.startsWith('--profile-directory='))
        ? [`--profile-directory is looked for in ${profile}, not among your usual profiles.`]
        : []),
    ],
  };
}

/** The last one counts, as for Chromium; empty without a value; null if not given. */
function optionValue(options: readonly string[], name: string): string | null {
  const found = options.findLast((option) => option === name || option.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}
