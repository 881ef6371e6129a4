/** The processes of the host, as every other folder sees them. Implemented by `host/`, used by drivers and the tracker. */

/** What a driver calls the kind of program that it attaches to. */
export type Runtime = string;

/** A pid is reused by the OS; pid and start time together name one process for ever. */
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
  /** Path of the executable, or null where the OS does not tell (other user, kernel thread). */
  readonly exe: string | null;
  readonly argv: readonly string[];
  readonly cwd: string | null;
}

/** What a closer look at one process shows. Costs file reads: asked for new processes only, never on each scan. */
export interface ProcessDetails {
  /** Files mapped into the process, each path once. */
  readonly modules: readonly string[];
  /** The name of each of its threads; empty where the OS does not tell. */
  readonly threads: readonly string[];
  /** Bit n-1 set: signal n has a handler. A signal without one would kill the process. */
  readonly caughtSignals: bigint;
  readonly ignoredSignals: bigint;
  /** The pid that the process has inside its own pid namespace. */
  readonly namespacePid: number;
  /** Who owns the files that it makes; -1 where the OS has no such numbers. */
  readonly effectiveUid: number;
  readonly effectiveGid: number;
  /** Stopped (SIGSTOP, a debugger): it would act on a signal only much later. */
  readonly stopped: boolean;
  /** Of its memory, what is in RAM; 0 where the OS does not tell. */
  readonly residentBytes: number;
  /** How many more files it may open; null where the OS does not tell. */
  readonly freeDescriptors: number | null;
}

/** What a process has done since its start. */
export interface ProcessActivity {
  /** On a clock of the system, for telling which of two is older: two ages are read at two moments. */
  readonly startedMs: number;
  readonly ageMs: number;
  /** Time of the processor, of all its threads. */
  readonly cpuMs: number;
}

export interface Listener {
  readonly address: string;
  readonly port: number;
}

/** The container of a process that runs in another one than this process. */
export interface ProcessOrigin {
  /** `docker`, `podman`, `containerd`, `cri-o`, `lxc`, `systemd-nspawn`; null: it is not known. */
  readonly engine: string | null;
  /** Null: it is known by its namespaces alone. */
  readonly id: string | null;
  /** For people: the name of the container or its pod, or the beginning of the id. */
  readonly name: string;
  /** `namespace/name` of a pod in Kubernetes, or its uid where that is all that is known; null: it is none. */
  readonly pod: string | null;
  /** Names the same container again, also after a restart of this process. Null: nothing does. */
  readonly key: string | null;
}

/** Why a network cannot be entered, and what helps. */
export interface NetworkRefusal {
  readonly blocker: string;
  readonly remedy: string;
  /** It may be another time, with the same rights. */
  readonly mayChange: boolean;
}

export interface HeldName {
  release(): void;
}

/** The network in which a process has its loopback address. */
export interface ProcessNetwork {
  /** Null: it is that of this process. Otherwise the name that the kernel has for it. */
  readonly id: string | null;
  /** Null: it can be connected to. Nothing is done to the process. Never rejects. */
  whyClosed(): Promise<NetworkRefusal | null>;
  /**
   * Takes a name that one program of this network can have at a time; it goes with this process at the latest. Null: this
   * system has no such names.
   */
  hold(name: string): Promise<HeldName | 'taken' | null>;
  /** A `net.Socket`. `host` is a loopback address. Rejects, or its error is to come, where nobody listens. */
  connect(host: string, port: number): Promise<NodeJS.ReadWriteStream>;
}

/** Who is connected to a port from the same machine. */
export interface PortClient {
  readonly uid: number;
  /** Null: it could not be found, as with programs of other users. */
  readonly pid: number | null;
}

/** How a main thread sleeps until something happens. */
export interface MainThreadWait {
  /** `epoll`: the event loop of Node or Deno. `poll`: that of a program with windows. */
  readonly call: 'epoll' | 'poll';
  /** How long it was told to sleep at most; null: for ever. `unknown`: the kernel does not tell us. */
  readonly forMs: number | null | 'unknown';
  /** How often the thread has gone to sleep: while the number is the same, so is the wait. */
  readonly switches: bigint;
}

/** Every question a driver may ask about a process. All synchronous, all answered with null/empty once the process is gone. */
export interface ProcessInspector {
  isAlive(ref: ProcessRef): boolean;
  details(ref: ProcessRef): ProcessDetails | null;
  /** The executable of now: an exec may have changed it since the process was found. Null where the OS does not tell. */
  currentExe(ref: ProcessRef): string | null;
  /** Null where the OS does not tell. */
  activity(ref: ProcessRef): ProcessActivity | null;
  /** TCP sockets on which this very process listens. */
  listeners(ref: ProcessRef): readonly Listener[];
  /** Paths of the unix sockets on which this very process listens, as it sees them. */
  unixListeners(ref: ProcessRef): readonly string[];
  /** True when some process in the network namespace of `ref` listens on this TCP port. */
  isPortTaken(ref: ProcessRef, port: number): boolean;
  /** Those in the network namespace of `ref` that are connected to this port of the loopback address, but for this very process. */
  portClients(ref: ProcessRef, port: number): readonly PortClient[];
  network(ref: ProcessRef): ProcessNetwork;
  /** Null: it is not in a container, or in the same one as this process. */
  origin(ref: ProcessRef): ProcessOrigin | null;
  /** True when the executable's dynamic symbol names contain this one (cached per file). */
  exeHasSymbol(info: ProcessInfo, symbol: string): boolean;
  /** A path of the process's own file system as seen from here (containers). */
  resolvePath(ref: ProcessRef, path: string): string;
  /**
   * Its environment (`NAME=value`) or its arguments of now, each ended by a NUL, its mounts or user numbers, as the Linux
   * kernel tells; null: it does not.
   */
  kernelFile(ref: ProcessRef, name: 'environ' | 'mountinfo' | 'uid_map' | 'cmdline'): string | null;
  /** `busy`: it runs, is stopped, or sleeps elsewhere. Null: this cannot be known, or the process is gone. */
  mainThreadWait(ref: ProcessRef): MainThreadWait | 'busy' | null;
}

/** Sends a signal after checking the start time once more; throws when the process is not the same any more. */
export type Signaller = (ref: ProcessRef, signal: 'SIGUSR1' | 'SIGQUIT') => void;

export interface ScanDelta {
  /** New processes, and processes that became another program by exec. */
  readonly appeared: readonly ProcessInfo[];
  /** Processes that ended, and the former selves of those that exec'ed. */
  readonly gone: readonly ProcessRef[];
  /** How many processes the scan saw in all. */
  readonly total: number;
}

export interface ProcessScanner {
  scan(): Promise<ScanDelta>;
}

/** The processes of this machine: who is there, what each one is, and a careful way to signal it. */
export interface Host {
  readonly scanner: ProcessScanner;
  readonly inspector: ProcessInspector;
  readonly signal: Signaller;
}
