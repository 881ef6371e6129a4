/** The protocol between the daemon and the relay inside an Electron app's main process. Both sides import this file. */

export type RelayRequest =
  | { op: 'cdp.list' }
  | { op: 'cdp.attach'; target: number }
  | { op: 'cdp.detach'; target: number }
  /** `sessionId`: of a child, as in `Target.attachedToTarget`; empty for the page itself. */
  | { op: 'cdp.send'; target: number; sessionId: string; method: string; params: object }
  | { op: 'cdp.activate'; target: number }
  | { op: 'cdp.close'; target: number };

export interface RelayTarget {
  id: number;
  type: string;
  title: string;
  url: string;
  focused: boolean;
}

/** The page or Electron refused, in its own words. */
export interface Refusal {
  refused: string;
}

export type RelayPush =
  | { op: 'cdp.event'; target: number; sessionId: string; method: string; params: unknown }
  /** The page is gone, or somebody else has ended our session. */
  | { op: 'cdp.detached'; target: number; reason: string }
  /** A window was added, removed, or changed its title or address. */
  | { op: 'cdp.changed' };
