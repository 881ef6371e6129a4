import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { watched } from '../../../../src/probes/drivers/v8/browser/input.ts';
import { WebTools } from '../../../../src/probes/drivers/v8/browser/web-tools.ts';
import type { CdpListener, CdpResult, CdpSession } from '../../../../src/probes/drivers/v8/cdp/cdp-session.ts';
import { dialogOf, idOf, neededId } from '../../../../src/probes/drivers/v8/cdp/foreign.ts';
import { WindowSessions } from '../../../../src/probes/drivers/v8/electron/relay-session.ts';

const ODD: unknown[] = [undefined, null, 5, '', [], {}, { toString: 1, valueOf: 1 }, 'x'.repeat(257)];
const anything = () => fc.oneof(fc.jsonValue(), fc.constantFrom(...ODD));

/** A session whose target gives the prepared answers. */
class FakeSession implements CdpSession {
  readonly closed = new Promise<void>(() => {});
  private readonly listeners = new Map<string, CdpListener>();
  answer: CdpResult = {};

  async send(): Promise<CdpResult> {
    return this.answer;
  }

  on(event: string, listener: CdpListener): () => void {
    this.listeners.set(event, listener);
    return () => this.listeners.delete(event);
  }

  child(): CdpSession {
    return this;
  }

  say(event: string, params: CdpResult): void {
    this.listeners.get(event)?.(params);
  }
}

describe('what a target says', () => {
  it('is an id only if it could be one', () => {
    for (const odd of ODD) {
      expect(idOf(odd)).toBeNull();
      expect(() => neededId(odd)).toThrow('no id');
    }
    expect(idOf('E3F1')).toBe('E3F1');
  });

  it('of a dialog is text, whatever it is', () => {
    expect(dialogOf({ type: 'confirm', message: 'Sure?' }, 4)).toEqual({
      type: 'confirm',
      message: 'Sure',
      offered: '',
    });
    const odd = { type: { toString: 1 }, message: null, defaultPrompt: 7 };
    expect(dialogOf(odd, 4)).toEqual({ type: 'alert', message: '', offered: '' });
    const prompt = { type: 'prompt', message: 'Your name?', defaultPrompt: 'Anonymous' };
    expect(dialogOf(prompt, 4)).toEqual({ type: 'prompt', message: 'Your', offered: 'Anon' });
  });

  it('never throws out of those who listen', async () => {
    await fc.assert(
      fc.asyncProperty(anything(), anything(), anything(), async (one, other, third) => {
        const params = { sessionId: one, type: one, message: other, tools: [one, third], invocationId: third };
        const session = new FakeSession();
        const tools = new WebTools(session);
        for (const event of ['toolsAdded', 'toolsRemoved', 'toolResponded']) session.say(`WebMCP.${event}`, params);
        session.say('WebMCP.toolsAdded', { tools: other });
        tools.actions();
        const sessions = new WindowSessions(async () => ({}));
        sessions.receive('', 'Target.detachedFromTarget', params);
        const seen = watched(session, new AbortController().signal, () => new Promise<void>(() => {}));
        session.say('Page.javascriptDialogOpening', params);
        expect(typeof (await seen).dialog).toBe('string');
      }),
    );
  });

  it('of a tool is not kept when it is too long, and not waited for without an id', async () => {
    const session = new FakeSession();
    const tools = new WebTools(session);
    const tool = { name: 'pay', description: '', frameId: 'f' };
    session.say('WebMCP.toolsAdded', { tools: [{ ...tool, name: 'long', description: 'x'.repeat(100_000) }, tool] });
    expect(tools.actions().map(({ name }) => name)).toEqual(['pay']);
    session.answer = { invocationId: { toString: 1 } };
    await expect(tools.invoke('f pay', {}, new AbortController().signal, 5000)).rejects.toThrow('no id');
  });
});
