/** Facts about a process, visible from outside, for deciding whether it is an app. */
import type { ProcessInfo, ProcessInspector, ScanDelta } from '../model/process.ts';
import type { AttachFacts } from './attach-policy.ts';
import type { Session } from './session.ts';
import { startsForItself, type ToolKind, toolKindOf } from './tool-commands.ts';

const MAX_GENERATIONS = 8;
const BETWEEN_COMMANDS_MS = 60_000;
/** Sockets that a runtime opens for its own tools in every program. */
const RUNTIME_SOCKET = /\/(?:dotnet-diagnostic-|\.java_pid|mono-)/;
const WINDOW_LIBRARY = /\/lib(?:X11|wayland-client|gtk-[34]|awt_xawt)\.so/;

/** A tracked app, as far as the decision depends on it. */
interface JudgedApp {
  readonly session: Pick<Session, 'process' | 'recognition' | 'engine'>;
  readonly foundAt: number;
  readonly settleMs: number;
}

export class AttachFactFinder {
  private readonly inspector: ProcessInspector;
  /** For every process: its owner, its parent, and whether it is a tool. */
  private readonly commands = new Map<number, { uid: number; ppid: number; tool: ToolKind | null }>();

  /** When a program that it had started was last seen; only for processes whose programs have ended. */
  private readonly startedOther = new Map<number, number>();

  constructor(inspector: ProcessInspector) {
    this.inspector = inspector;
  }

  takeScan({ appeared, gone }: ScanDelta): void {
    const now = performance.now();
    for (const { pid } of gone) {
      const ppid = this.commands.get(pid)?.ppid;
      this.commands.delete(pid);
      this.startedOther.delete(pid);
      if (ppid !== undefined && this.commands.has(ppid)) this.startedOther.set(ppid, now);
    }
    for (const process of appeared) {
      const { pid, ppid, uid } = process;
      this.commands.set(pid, { uid, ppid, tool: toolKindOf(process) });
    }
  }

  /** The facts that decide on an app. */
  factsOf(app: JudgedApp, settings: { readonly users: ReadonlySet<number> | null; readonly rootInspectors: boolean }) {
    const { process, recognition, engine } = app.session;
    const { asked, asked_elsewhere, short_lived } = engine.schema.hints;
    const [tool, startedBy] = [this.toolOf(process.pid), this.toolAbove(process.pid)];
    // Interest on another host is no reason to attach to a developer's tool here.
    const isAsked = asked === true || (asked_elsewhere === true && tool === null && startedBy === null);
    const isRoots = process.uid === 0 && recognition.opensInspector === true;
    const finder = this;
    const facts: AttachFacts = {
      ...this.timesOf(process, app.foundAt),
      settleMs: app.settleMs,
      tool,
      startedBy,
      isKnown: isAsked && short_lived !== true,
      isForeign: settings.users !== null && !settings.users.has(process.uid),
      get isExposed() {
        return isRoots && !settings.rootInspectors && finder.hasOtherUsers(process);
      },
      get hasWindow() {
        return recognition.hasWindow === true || finder.hasWindow(process);
      },
      get listens() {
        return finder.listens(process);
      },
      get runsOthers() {
        return finder.runsOthers(process.pid);
      },
    };
    return facts;
  }

  /** `foundAt`: when it was first seen, for systems that hide the start time. */
  timesOf(process: ProcessInfo, foundAt: number): Pick<AttachFacts, 'ageMs' | 'load'> {
    const activity = this.inspector.activity(process);
    const ageMs = activity?.ageMs ?? performance.now() - foundAt;
    return { ageMs, load: activity === null || ageMs === 0 ? 0 : activity.cpuMs / ageMs };
  }

  /** For comparing two processes. `foundAt`: as above. */
  startedMs(process: ProcessInfo, foundAt: number): number {
    return this.inspector.activity(process)?.startedMs ?? foundAt;
  }

  toolOf(pid: number): ToolKind | null {
    return this.commands.get(pid)?.tool ?? null;
  }

  /**
   * True if a visible program of a user other than root can connect to this one: it runs on this machine or, for a
   * program in a container, in the same network.
   */
  hasOtherUsers(process: ProcessInfo): boolean {
    const { id } = this.inspector.network(process);
    const networkOf = (pid: number) => this.inspector.network({ pid, startTime: '' }).id;
    for (const [pid, { uid }] of this.commands) if (uid !== 0 && (id === null || networkOf(pid) === id)) return true;
    return false;
  }

  listens(process: ProcessInfo): boolean {
    if (this.inspector.listeners(process).length > 0) return true;
    return this.inspector.unixListeners(process).some((path) => !RUNTIME_SOCKET.test(path));
  }

  hasWindow(process: ProcessInfo): boolean {
    return this.inspector.details(process)?.modules.some((file) => WINDOW_LIBRARY.test(file)) ?? false;
  }

  /** Recently ended programs count, too: a script runs one command after the other. */
  runsOthers(pid: number): boolean {
    for (const { ppid } of this.commands.values()) if (ppid === pid) return true;
    const startedAt = this.startedOther.get(pid);
    return startedAt !== undefined && performance.now() - startedAt < BETWEEN_COMMANDS_MS;
  }

  toolAbove(pid: number): ToolKind | null {
    let above = this.commands.get(pid)?.ppid;
    // Limited: a parent's pid may belong to another process by now, even to one of its children.
    for (let generation = 0; above !== undefined && above > 1 && generation < MAX_GENERATIONS; generation++) {
      const command = this.commands.get(above);
      if (command?.tool && startsForItself(command.tool)) return command.tool;
      above = command?.ppid;
    }
    return null;
  }
}
