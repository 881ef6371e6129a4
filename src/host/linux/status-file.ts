/** `/proc/PID/status`: lines of `Name:\tvalue`. The kernel escapes newlines in the process name, so none can be forged. */

export interface StatusFile {
  /** The real user id. */
  readonly uid: number;
  readonly effectiveUid: number;
  readonly effectiveGid: number;
  readonly caughtSignals: bigint;
  readonly ignoredSignals: bigint;
  /** The pid in each nested namespace, the innermost last; null before Linux 4.1. */
  readonly namespacePid: number | null;
  readonly stopped: boolean;
  /** True if it sleeps until an event; false while it runs, or waits for a disk. */
  readonly sleeping: boolean;
  /** How often it gave up the CPU by itself; null where the kernel does not count that. */
  readonly voluntarySwitches: bigint | null;
  /** 0 if it has none (a zombie). */
  readonly residentBytes: number;
}

const STOPPED = /^State:\s*[Tt]/m;
const SLEEPING = /^State:\s*S/m;
const SWITCHES = /^voluntary_ctxt_switches:\s*(\d{1,20})$/m;
const RESIDENT = /^VmRSS:\s*(\d{1,15}) kB$/m;
const UIDS = /^Uid:\s*(\d+)(?:\s+(\d+))?/m;
const GIDS = /^Gid:\s*(\d+)(?:\s+(\d+))?/m;
const CAUGHT = /^SigCgt:\s*([0-9a-f]{1,32})$/m;
const IGNORED = /^SigIgn:\s*([0-9a-f]{1,32})$/m;
const NAMESPACE_PID = /^NSpid:[\t \d]*?(\d+)$/m;

export function parseStatus(text: string): StatusFile | null {
  const [, uid, effectiveUid = uid] = UIDS.exec(text) ?? [];
  const [, gid, effectiveGid = gid] = GIDS.exec(text) ?? [];
  if (uid === undefined) return null;
  const switches = SWITCHES.exec(text)?.[1];
  const namespacePid = NAMESPACE_PID.exec(text)?.[1];
  return {
    uid: Number(uid),
    effectiveUid: Number(effectiveUid),
    effectiveGid: Number(effectiveGid ?? -1),
    caughtSignals: signalMask(CAUGHT.exec(text)?.[1]),
    ignoredSignals: signalMask(IGNORED.exec(text)?.[1]),
    namespacePid: namespacePid === undefined ? null : Number(namespacePid),
    stopped: STOPPED.test(text),
    sleeping: SLEEPING.test(text),
    voluntarySwitches: switches === undefined ? null : BigInt(switches),
    residentBytes: Number(RESIDENT.exec(text)?.[1] ?? 0) * 1024,
  };
}

/** No mask reads as "no handlers", so that nothing is signalled by guess. */
function signalMask(hex: string | undefined): bigint {
  return hex === undefined ? 0n : BigInt(`0x${hex}`);
}
