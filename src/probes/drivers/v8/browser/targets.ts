/** The pages of a browser or of an Electron app, whatever carries the debugging protocol to them. */
import type { CdpSession } from '../cdp/cdp-session.ts';

export interface PageTarget {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly url: string;
  /** null: this carrier cannot tell; the page itself is asked. */
  readonly focused: boolean | null;
  /** The same session each time, as long as it lives. */
  attach(): Promise<CdpSession>;
}

export interface BrowserTargets {
  /** Pages that a person could look at, in a stable order. */
  list(): Promise<readonly PageTarget[]>;
  activate(id: string): Promise<void>;
  /** Resolves with the new page's id. */
  open(url: string): Promise<string>;
  close(id: string): Promise<void>;
  /** Ends the session with a page that is not looked at any longer. Never throws. */
  release(id: string): Promise<void>;
  /** Calls back when a page comes, goes, or gets another title or address. Returns the function that ends it. */
  onChange(listener: () => void): () => void;
  readonly closed: Promise<void>;
  /** Lets go of every page. Never throws, bounded in time. */
  dispose(): Promise<void>;
}
