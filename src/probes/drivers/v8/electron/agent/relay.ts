/**
 * Runs beside the Node agent in the main process of an Electron app, and carries the debugging protocol between the
 * daemon and the app's windows, by Electron's own `webContents.debugger`. It ends only the sessions that it began.
 */
import type { AgentExtension, ExtensionAction, ExtensionTools } from '../../node/agent/protocol.ts';
import type { Refusal, RelayPush, RelayRequest, RelayTarget } from './relay-protocol.ts';

/** The used part of Electron; the app's version decides what exists. */
interface Electron {
  app: Emitter & { getAppPath(): string };
  webContents: { getAllWebContents(): WebContents[]; fromId(id: number): WebContents | undefined };
  BrowserWindow: { getAllWindows(): object[]; fromWebContents(contents: WebContents): BrowserWindow | null };
  /** Electron keeps the handlers of `ipcMain.handle` in a Map, which is undocumented. */
  ipcMain: { _invokeHandlers?: unknown };
}

interface Emitter {
  on(event: string, listener: Listener): void;
  off(event: string, listener: Listener): void;
  listenerCount(event: string): number;
  getMaxListeners(): number;
}

type Listener = (...args: never[]) => void;

interface WebContents extends Emitter {
  id: number;
  debugger: Debugger;
  hostWebContents?: WebContents | null;
  mainFrame?: { processId: number; routingId: number };
  getType(): string;
  getTitle(): string;
  getURL(): string;
  isFocused(): boolean;
  isDestroyed(): boolean;
  isCrashed?(): boolean;
  focus(): void;
  close?(): void;
}

interface Debugger extends Emitter {
  isAttached(): boolean;
  attach(version: string): void;
  detach(): void;
  sendCommand(method: string, params: object, sessionId?: string): Promise<unknown>;
}

interface BrowserWindow {
  isMinimized(): boolean;
  restore(): void;
  show(): void;
  focus(): void;
}

const PROTOCOL = '1.3';
/** Other types are no windows: background pages of extensions, developer tools (`remote`). */
const WINDOW_TYPES = new Set(['window', 'browserView', 'webview', 'offscreen']);
const CHANGE_EVENTS = ['destroyed', 'page-title-updated', 'did-navigate', 'did-navigate-in-page', 'focus', 'blur'];
const GONE: Refusal = { refused: 'the window is gone' };

export default function createRelay({ load, push }: ExtensionTools): AgentExtension {
  // Only Electron's own loader knows its module under this name.
  const moduleClass = load<{ _load(name: string): unknown }>('module');
  return new Relay(moduleClass._load('electron') as Electron, load, (message: RelayPush) => push(message));
}

class Relay implements AgentExtension {
  private readonly electron: Electron;
  private readonly load: ExtensionTools['load'];
  private readonly push: (message: RelayPush) => void;
  /** Functions that undo the changes, per window and for the app. */
  private readonly attached = new Map<number, () => void>();
  private readonly watched = new Map<WebContents, () => void>();
  private readonly unwatchApp: () => void;

  constructor(electron: Electron, load: ExtensionTools['load'], push: (message: RelayPush) => void) {
    this.electron = electron;
    this.load = load;
    this.push = push;
    this.unwatchApp = listen(electron.app, 'web-contents-created', (_event: unknown, contents: WebContents) => {
      this.watch(contents);
      this.push({ op: 'cdp.changed' });
    });
    for (const contents of electron.webContents.getAllWebContents()) this.watch(contents);
  }

  async answer(request: unknown): Promise<unknown> {
    const wanted = request as RelayRequest;
    if (wanted.op === 'cdp.list') return this.list();
    const contents = this.electron.webContents.fromId(wanted.target);
    if (!contents || contents.isDestroyed()) return GONE;
    if (wanted.op === 'cdp.attach') return this.attach(contents);
    if (wanted.op === 'cdp.detach') return this.detach(contents);
    if (wanted.op === 'cdp.activate') return this.activate(contents);
    if (wanted.op === 'cdp.close') return this.close(contents);
    if (!this.attached.has(wanted.target)) return { refused: 'the session has ended' } satisfies Refusal;
    try {
      const { method, params, sessionId } = wanted;
      return { result: await contents.debugger.sendCommand(method, params, sessionId === '' ? undefined : sessionId) };
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) } satisfies Refusal;
    }
  }

  /** The handlers of `ipcMain.handle`, which the app's windows can call. */
  actions(): ExtensionAction[] {
    const handlers = this.electron.ipcMain._invokeHandlers;
    if (!(handlers instanceof Map)) return [];
    return [...(handlers as Map<unknown, unknown>)].flatMap(([channel, fn]) =>
      typeof channel === 'string' && typeof fn === 'function' && !/[#[]/.test(channel)
        ? [
            {
              binding: `ipc#${channel}`,
              fn: fn as ExtensionAction['fn'],
              given: 1,
              makeGiven: () => [this.makeEvent()],
            },
          ]
        : [],
    );
  }

  /** Electron's own objects that keep listeners and handlers of the app. */
  roots(): unknown[] {
    const { app, ipcMain, webContents, BrowserWindow } = this.electron;
    return [app, ipcMain, ...webContents.getAllWebContents(), ...BrowserWindow.getAllWindows()];
  }

  mainScript(): string | null {
    const { join } = this.load<typeof import('node:path')>('path');
    const fs = this.load<typeof import('node:fs')>('fs');
    try {
      const folder = this.electron.app.getAppPath();
      // Electron's own `fs` also reads archives.
      const { main } = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8')) as { main?: string };
      const entry = join(folder, main ?? 'index.js');
      return [entry, `${entry}.js`, join(entry, 'index.js')].find((file) => isFile(fs, file)) ?? entry;
    } catch {
      // Without a readable package.json, Electron knows what it started with.
      return process.mainModule?.filename ?? null;
    }
  }

  dispose(): void {
    this.unwatchApp();
    for (const unwatch of this.watched.values()) unwatch();
    this.watched.clear();
    for (const detach of this.attached.values()) detach();
    this.attached.clear();
  }

  /** As if the window in use had sent the request. */
  private makeEvent(): object {
    const windows = this.windows();
    const sender = windows.find((contents) => contents.isFocused()) ?? windows[0];
    const senderFrame = sender?.mainFrame;
    return { type: 'frame', sender, senderFrame, processId: senderFrame?.processId, frameId: senderFrame?.routingId };
  }

  private windows(): WebContents[] {
    return this.electron.webContents
      .getAllWebContents()
      .filter((contents) => !contents.isDestroyed() && WINDOW_TYPES.has(contents.getType()));
  }

  private list(): RelayTarget[] {
    return this.windows()
      .map((contents) => ({
        id: contents.id,
        type: contents.getType(),
        title: contents.getTitle(),
        url: contents.getURL(),
        focused: contents.isFocused(),
      }))
      .filter(({ url }) => !url.startsWith('devtools://'))
      .sort((a, b) => a.id - b.id);
  }

  private attach(contents: WebContents): Refusal | null {
    const { id, debugger: session } = contents;
    if (this.attached.has(id)) return null;
    if (session.isAttached())
      return { refused: 'this window is debugged by the app itself or by another tool, which keeps it' };
    session.attach(PROTOCOL);
    const unlisten = [
      listen(session, 'message', (_event: unknown, method: string, params: unknown, sessionId?: string) =>
        this.push({ op: 'cdp.event', target: id, sessionId: sessionId ?? '', method, params }),
      ),
      listen(session, 'detach', (_event: unknown, reason: string) => {
        this.attached.delete(id);
        for (const undo of unlisten) undo();
        this.push({ op: 'cdp.detached', target: id, reason });
      }),
    ];
    this.attached.set(id, () => {
      for (const undo of unlisten) undo();
      quietly(() => session.detach());
    });
    return null;
  }

  private detach({ id }: WebContents): null {
    this.attached.get(id)?.();
    this.attached.delete(id);
    return null;
  }

  private activate(contents: WebContents): Refusal | null {
    const window = this.electron.BrowserWindow.fromWebContents(contents.hostWebContents ?? contents);
    if (window?.isMinimized()) window.restore();
    window?.show();
    window?.focus();
    contents.focus();
    return null;
  }

  private close(contents: WebContents): Refusal | null {
    if (!contents.close) return { refused: 'this version of Electron cannot close a window from outside' };
    contents.close();
    return null;
  }

  private watch(contents: WebContents): void {
    const unlisten = CHANGE_EVENTS.map((event) =>
      listen(contents, event, () => {
        if (event === 'destroyed') this.watched.delete(contents);
        this.push({ op: 'cdp.changed' });
      }),
    );
    this.watched.set(contents, () => {
      for (const undo of unlisten) undo();
    });
  }
}

/** Adds nothing if Electron would warn the app of too many listeners. Returns a function that undoes it. */
function listen(emitter: Emitter, event: string, listener: Listener): () => void {
  const limit = emitter.getMaxListeners();
  if (limit > 0 && emitter.listenerCount(event) >= limit) return () => {};
  emitter.on(event, listener);
  return () => quietly(() => emitter.off(event, listener));
}

function isFile(fs: typeof import('node:fs'), file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    // It does not exist.
    return false;
  }
}

/** A window may end at any moment; the app must not notice. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Gone already.
  }
}
