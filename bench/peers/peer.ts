/** The measured interface of every other tool: named ways to read the page in the browser. */
import type { Chromium } from '../../test/support/chromium.ts';

export interface PeerRead {
  readonly name: string;
  /** Resolves with the size of the result (keys or characters), so that an empty answer is visible. */
  run(): Promise<number>;
}

export interface Peer {
  readonly reads: readonly PeerRead[];
  close(): Promise<void>;
}

export type OpenPeer = (chromium: Chromium, url: string) => Promise<Peer>;

export const PUPPETEER_JSON = 'puppeteer evaluate, JSON text';
export const BROWSER_SNAPSHOT = '@playwright/mcp browser_snapshot';
export const TAKE_SNAPSHOT = 'chrome-devtools-mcp take_snapshot';
