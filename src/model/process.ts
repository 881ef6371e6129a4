/**
 * The processes of the host, as the other folders see them. Implemented by `host/`, used by drivers and the tracker.
 */

/** The name that a driver gives to the kind of program that it attaches to. */
export type Runtime = string;

/** The OS reuses pids; pid and start time together name one process for ever. */
export interface ProcessRef {
  readonly pid: number;
  /** Opaque; only equality has a meaning. */
  readonly startTime: string;
}

export interface ProcessInfo extends ProcessRef {
  readonly ppid: number;
  readonly uid: number;
  /** The kernel's short name (`comm`), which an app may change at any time. */
  readonly name: string;
  /** Path of the executable, or null if unknown (other user, kernel thread). */
  readonly exe: string | null;
  readonly argv: readonly string[];
  readonly cwd: string | null;
}

/**
 * The result of a closer look at one process. It costs file reads, so it is done for new processes only, not on each
 * scan.
 */
export interface ProcessDetails {
  /** Files mapped into the process, each path once. */
  readonly modules: readonly string[];
  /** The names of its threads; empty if unknown. */
  readonly threads: readonly string[];
  /** Bit n-1 is set if signal n has a handler. A signal without one would kill the process. */
  readonly caughtSignals: bigint;
  readonly ignoredSignals: bigint;
  /** The pid that the process has inside its own pid namespace. */
  readonly namespacePid: number;
  /** The owner of the files that it creates; -1 where the OS has no such numbers. */
  readonly effectiveUid: number;
  readonly effectiveGid: number;
  /** Stopped (SIGSTOP, a debugger): it would act on a signal only much later. */
  readonly stopped: boolean;
  /** Memory in RAM; 0 if unknown. */
  readonly residentBytes: number;
  /** The number of files that it can still open; null if unknown. */
  readonly freeDescriptors: number | null;
}

/** The activity of a process since its start. */
export interface ProcessActivity {
  /**
   * Read from a clock of the system, so that the age of two processes can be compared: two values of `ageMs` are read
   * at two moments.
   */
  readonly startedMs: number;
  readonly ageMs: number;
  /** CPU time of all its threads. */
  readonly cpuMs: number;
}

export interface Listener {
  readonly address: string;
  readonly port: number;
}

/** The container of a process that runs in another one than this process. */
export interface ProcessOrigin {
  /** `docker`, `podman`, `containerd`, `cri-o`, `lxc`, `systemd-nspawn`; null if unknown. */
  readonly engine: string | null;
  /** Null if only its namespaces are known. */
  readonly id: string | null;
  /** For people: the name of the container or its pod, or the beginning of the id. */
  readonly name: string;
  /** `namespace/name` of a pod in Kubernetes, or its uid if no more is known; null if it is none. */
  readonly pod: string | null;
  /** Identifies the same container after a restart of this process. Null if nothing does. */
  readonly key: string | null;
}

/** Why a network cannot be entered, and what helps. */
export interface NetworkRefusal {
  readonly blocker: string;
  readonly remedy: string;
  /** A later try with the same rights may succeed. */
  readonly mayChange: boolean;
}

export interface HeldName {
  release(): void;
}

/** The network in which a process has its loopback address. */
export interface ProcessNetwork {
  /** The kernel's name of it; null if it is the network of this process. */
  readonly id: string | null;
  /** Null if connections are possible. Does nothing to the process and never rejects. */
  whyClosed(): Promise<NetworkRefusal | null>;
  /**
   * Takes a name that only one program of this network can hold at a time, at most until this process ends. Null if this
   * system has no such names.
   */
  hold(name: string): Promise<HeldName | 'taken' | null>;
  /** A `net.Socket`. `host` is a loopback address. Rejects or emits an error if nobody listens. */
  connect(host: string, port: number): Promise<NodeJS.ReadWriteStream>;
}

/** A local client of a port. */
export interface PortClient {
  readonly uid: number;
  /** Null if not found, as for programs of other users. */
  readonly pid: number | null;
}

/** The way in which a main thread waits for events. */
export interface MainThreadWait {
  /** `epoll`: the event loop of Node or Deno. `poll`: that of a program with windows. */
  readonly call: 'epoll' | 'poll';
  /** The timeout of the call; null if there is none. `unknown`: the kernel hides it. */
  readonly forMs: number | null | 'unknown';
  /** The number of times the thread has gone to sleep: while it is unchanged, so is the wait. */
  readonly switches: bigint;
}

/** All queries of drivers about a process. All are synchronous, and return null or empty once the process is gone. */
export interface ProcessInspector {
  isAlive(ref: ProcessRef): boolean;
  details(ref: ProcessRef): ProcessDetails | null;
  /** The current executable, which an exec may have changed since the process was found. Null if unknown. */
  currentExe(ref: ProcessRef): string | null;
  /** Null if unknown. */
  activity(ref: ProcessRef): ProcessActivity | null;
  /** TCP sockets on which this process itself listens. */
  listeners(ref: ProcessRef): readonly Listener[];
  /** Paths of the unix sockets on which this process itself listens, as it sees them. */
  unixListeners(ref: ProcessRef): readonly string[];
  /** True if any process in the network namespace of `ref` listens on this TCP port. */
  isPortTaken(ref: ProcessRef, port: number): boolean;
  /** Clients of this port of the loopback address in the network namespace of `ref`, except for this process. */
  portClients(ref: ProcessRef, port: number): readonly PortClient[];
  network(ref: ProcessRef): ProcessNetwork;
  /** Null if it is not in a container, or in the same one as this process. */
  origin(ref: ProcessRef): ProcessOrigin | null;
  /** True if the executable's dynamic symbols contain this name (cached per file). */
  exeHasSymbol(info: ProcessInfo, symbol: string): boolean;
  /** Translates a path of the process's own file system into one of ours (containers). */
  resolvePath(ref: ProcessRef, path: string): string;
  /**
   * A file of the Linux kernel about the process: environment (`NAME=value`) or current arguments, each ended by a NUL,
   * mounts or user ids. Null if it is not readable.
   */
  kernelFile(ref: ProcessRef, name: 'environ' | 'mountinfo' | 'uid_map' | 'cmdline'): string | null;
  /** `busy`: it runs, is stopped, or sleeps elsewhere. Null if unknown, or if the process is gone. */
  mainThreadWait(ref: ProcessRef): MainThreadWait | 'busy' | null;
}

/** Sends a signal after a last check of the start time; throws if it is no longer the same process. */
export type Signaller = (ref: ProcessRef, signal: 'SIGUSR1' | 'SIGQUIT') => void;

export interface ScanDelta {
  /** New processes, and processes that became another program by exec. */
  readonly appeared: readonly ProcessInfo[];
  /** Processes that ended, and the earlier programs of processes that called exec. */
  readonly gone: readonly ProcessRef[];
  /** The number of processes that the scan saw. */
  readonly total: number;
}

export interface ProcessScanner {
  scan(): Promise<ScanDelta>;
}

/** The processes of this machine: a list, details, and a careful way to signal them. */
export interface Host {
  readonly scanner: ProcessScanner;
  readonly inspector: ProcessInspector;
  readonly signal: Signaller;
}
