/** Real input, which the browser cannot distinguish from a person's. */
import * as z from 'zod';
import { CdpError, type CdpSession, CdpTimeout } from '../cdp/cdp-session.ts';
import { dialogOf } from '../cdp/foreign.ts';

const KEY_STROKE = ['rawKeyDown', 'keyUp'] as const;
const MAX_DIALOG_TEXT = 200;
const DRAG_STEPS = 8;
const FRAME_TIMEOUT_MS = 5_000;

const KEYS: Readonly<Record<string, object>> = {
  '\n': { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13, nativeVirtualKeyCode: 13 },
  '\t': { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9, nativeVirtualKeyCode: 9 },
};

/** `dialog`: the input made the page open one, which blocks the page until somebody answers it. */
export interface InputResult {
  readonly dialog: string | null;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

type Watched<T> = { readonly dialog: string } | { readonly dialog: null; readonly value: T };

export class Input {
  private readonly session: CdpSession;
  private readonly leftMs: () => number;

  /** `leftMs`: the time limit, since a click may run much of the page's code before it is answered. */
  constructor(session: CdpSession, leftMs: () => number) {
    this.session = session;
    this.leftMs = leftMs;
  }

  /** The calls are sent together: nothing should happen between a press and its release. */
  click(
    x: number,
    y: number,
    signal: AbortSignal,
    { times = 1, button = 'left' }: { times?: number; button?: 'left' | 'right' } = {},
  ): Promise<InputResult> {
    const clicks = Array.from({ length: times }, (_, at) => {
      const click = { x, y, button, clickCount: at + 1 };
      return [
        { ...click, type: 'mousePressed', buttons: button === 'left' ? 1 : 2 },
        { ...click, type: 'mouseReleased', buttons: 0 },
      ];
    });
    return watched(this.session, signal, () =>
      Promise.all([{ type: 'mouseMoved', x, y }, ...clicks.flat()].map((event) => this.mouse(event))),
    );
  }

  /**
   * In steps, each answered: pages start a drag only after some distance, and the browser reports the position to them.
   */
  async drag(from: Point, to: Point, signal: AbortSignal): Promise<InputResult> {
    const way = Array.from({ length: DRAG_STEPS }, (_, at) => {
      const share = (at + 1) / DRAG_STEPS;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    });
    const held = { button: 'left', buttons: 1 };
    const events = [
      { type: 'mouseMoved', ...from },
      { type: 'mousePressed', ...from, ...held, clickCount: 1 },
      ...[...way, to].map((point) => ({ type: 'mouseMoved', ...point, ...held })),
      { type: 'mouseReleased', ...to, button: 'left', buttons: 0, clickCount: 1 },
    ];
    for (const event of events) {
      const { dialog } = await watched(this.session, signal, () => this.mouse(event));
      if (dialog !== null) return { dialog };
    }
    return { dialog: null };
  }

  move(x: number, y: number, signal: AbortSignal): Promise<InputResult> {
    return watched(this.session, signal, () => this.mouse({ type: 'mouseMoved', x, y }));
  }

  press(stroke: object, signal: AbortSignal): Promise<InputResult> {
    return watched(this.session, signal, () =>
      Promise.all(
        ['keyDown', 'keyUp'].map((type) =>
          this.session.send('Input.dispatchKeyEvent', { type, ...stroke }, this.leftMs()),
        ),
      ),
    );
  }

  /** Into the focused element; replaces the selection. */
  insertText(text: string, signal: AbortSignal): Promise<InputResult> {
    return watched(this.session, signal, () => this.session.send('Input.insertText', { text }, this.leftMs()));
  }

  /** Key by key, so that pages that listen for keys get them. Line ends and tabs are keys, too. */
  typeKeys(text: string, signal: AbortSignal): Promise<InputResult> {
    const strokes = [...text.replaceAll('\r\n', '\n')].flatMap((character) => {
      const key = KEYS[character] ?? { key: character, text: character };
      return [
        { type: 'keyDown', ...key },
        { type: 'keyUp', ...key },
      ];
    });
    return watched(this.session, signal, () =>
      Promise.all(strokes.map((stroke) => this.session.send('Input.dispatchKeyEvent', stroke, this.leftMs()))),
    );
  }

  pressDelete(signal: AbortSignal): Promise<InputResult> {
    const key = { key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46, nativeVirtualKeyCode: 46 };
    return watched(this.session, signal, () =>
      Promise.all(
        KEY_STROKE.map((type) => this.session.send('Input.dispatchKeyEvent', { type, ...key }, this.leftMs())),
      ),
    );
  }

  /** Control+A: also selects text that an editor keeps out of the document. */
  selectAll(signal: AbortSignal): Promise<InputResult> {
    const key = { key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65, nativeVirtualKeyCode: 65, modifiers: 2 };
    const strokes = [
      { type: 'rawKeyDown', ...key, commands: ['selectAll'] },
      { type: 'keyUp', ...key },
    ];
    return watched(this.session, signal, () =>
      Promise.all(strokes.map((stroke) => this.session.send('Input.dispatchKeyEvent', stroke, this.leftMs()))),
    );
  }

  wheel(x: number, y: number, deltaY: number, signal: AbortSignal): Promise<InputResult> {
    return watched(this.session, signal, () => this.mouse({ type: 'mouseWheel', x, y, deltaX: 0, deltaY }));
  }

  private mouse(params: object): Promise<unknown> {
    return this.session.send('Input.dispatchMouseEvent', params, this.leftMs());
  }
}

/**
 * While a dialog is open neither the page nor the browser's input answers: its opening counts as the answer. `send`
 * begins after the subscription, and is abandoned when the signal is aborted.
 */
export async function watched<T>(
  session: CdpSession,
  signal: AbortSignal,
  send: () => Promise<T>,
): Promise<Watched<T>> {
  signal.throwIfAborted();
  const over = new AbortController();
  const dialog = new Promise<{ dialog: string }>((resolve) => {
    const end = session.on('Page.javascriptDialogOpening', (params) => {
      const { type, message } = dialogOf(params, MAX_DIALOG_TEXT);
      resolve({ dialog: `${type}: ${message}` });
    });
    over.signal.addEventListener('abort', end);
  });
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
  });
  const sent = send().then((value) => ({ dialog: null, value }));
  // The first to settle decides; the results of the others do not matter.
  sent.catch(() => undefined);
  try {
    return await Promise.race([sent, dialog, aborted]);
  } finally {
    over.abort();
  }
}

const owner = z.object({ backendNodeId: z.number() });
const boxModel = z.object({ model: z.object({ content: z.array(z.number()).min(2) }) });

/** The origin of a frame in the coordinates of this session's input. */
export async function frameOffset(session: CdpSession, frameId: string): Promise<{ x: number; y: number }> {
  try {
    const { backendNodeId } = owner.parse(await session.send('DOM.getFrameOwner', { frameId }, FRAME_TIMEOUT_MS));
    const { model } = boxModel.parse(await session.send('DOM.getBoxModel', { backendNodeId }, FRAME_TIMEOUT_MS));
    return { x: model.content[0] ?? 0, y: model.content[1] ?? 0 };
  } catch (error) {
    // The session's own frame has no owner in it: its area begins at 0, 0.
    if (error instanceof CdpError) return { x: 0, y: 0 };
    throw error;
  }
}

/** The message for an input without an answer; null for another failure. */
export function describeTimeout(error: unknown): string | null {
  return error instanceof CdpTimeout
    ? 'The page did not answer in time: it is busy. The input may still take effect.'
    : null;
}
