/** The pages of a browser or of an Electron app, independent of the transport of the debugging protocol. */
import type { CdpSession } from '../cdp/cdp-session.ts';

export interface PageTarget {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly url: string;
  /** Null if this transport does not know; then the page itself is asked. */
  readonly focused: boolean | null;
  /** Returns the same session each time, as long as it lives. */
  attach(): Promise<CdpSession>;
}

export interface BrowserTargets {
  /** Pages that a person could look at, in a stable order. */
  list(): Promise<readonly PageTarget[]>;
  activate(id: string): Promise<void>;
  /** Resolves with the new page's id. */
  open(url: string): Promise<string>;
  close(id: string): Promise<void>;
  /** Ends the session with a page that is no longer read. Never throws. */
  release(id: string): Promise<void>;
  /**
   * Calls the listener when a page is added, removed, or changes its title or address. Returns a function that
   * unsubscribes.
   */
  onChange(listener: () => void): () => void;
  readonly closed: Promise<void>;
  /** Releases every page, within limited time. Never throws. */
  dispose(): Promise<void>;
}
