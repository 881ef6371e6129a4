import { describe, expect, it } from 'vitest';
import { PageActions } from '../../../../../src/probes/drivers/v8/browser/page-actions.ts';
import { BUILTINS } from '../../../../../src/probes/drivers/v8/browser/page-builtins.ts';
import { BadArgumentError, NotDispatchedError } from '../../../../../src/probes/probe.ts';
import { judgeReversibility } from '../../../../../src/semantic/reversibility.ts';

/** Records the input of the page, which gives the prepared answers. */
function create(answers: Readonly<Record<string, object>> = {}, ownSchemes: ReadonlySet<string> = new Set()) {
  const sent: string[] = [];
  const actions = new PageActions({
    session: {
      send: async (method) => {
        sent.push(method);
        return {};
      },
      on: () => () => undefined,
      child: () => {
        throw new Error('not needed');
      },
      closed: new Promise(() => undefined),
    },
    limitMs: 5000,
    ownSchemes,
    callAgent: async (method) => JSON.stringify(answers[method] ?? { ok: true }),
  });
  return { actions, sent, signal: new AbortController().signal };
}

describe('what every page can do', () => {
  it('is judged as ruled', () => {
    const names = new Set(BUILTINS.map(({ name }) => name));
    const judged = BUILTINS.map((action) => [action.name, judgeReversibility(action, names)]);
    expect(Object.fromEntries(judged)).toEqual({
      click: 'reversible_write',
      click_text: 'reversible_write',
      fill: 'reversible_write',
      press_key: 'reversible_write',
      drag: 'irreversible_write',
      hover: 'reversible_read',
      type: 'reversible_write',
      navigate: 'reversible_write',
      clear: 'reversible_write',
      focus: 'reversible_read',
      scroll: 'reversible_read',
    });
    for (const { parameters } of BUILTINS) expect(parameters.every(({ type }) => type !== null)).toBe(true);
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'foo',
    '',
    '//x',
    'data:text/html,x',
    'chrome://version',
    'vbscript:x',
  ])('does not open %j', async (url) => {
    const { actions, sent, signal } = create();
    await expect(actions.invokeBuiltin('navigate', { url }, signal)).rejects.toThrow(BadArgumentError);
    expect(sent).toEqual([]);
  });

  it.each([
    ['file:///opt/app/index.html', ['file:'], true],
    ['app://main/settings', ['app:'], true],
    ['app://main/settings', ['file:'], false],
    ['javascript:alert(1)', ['app:', 'file:'], false],
  ])("opens %s where the app's own pages have %j: %s", async (url, schemes, opens) => {
    const { actions, sent, signal } = create({}, new Set(schemes));
    const navigation = actions.invokeBuiltin('navigate', { url }, signal);
    if (opens) expect((await navigation).ok).toBe(true);
    else await expect(navigation).rejects.toThrow(BadArgumentError);
    expect(sent).toEqual(opens ? ['Page.navigate'] : []);
  });

  it.each<[string, Record<string, unknown>]>([
    ['click', { x: 1 }],
    ['click', { x: '1', y: 2 }],
    ['click', { x: Number.NaN, y: 2 }],
    ['type', { text: 3 }],
    ['clear', {}],
    ['dance', {}],
  ])('does not %s with %j', async (name, args) => {
    const { actions, sent, signal } = create();
    await expect(actions.invokeBuiltin(name, args, signal)).rejects.toThrow(BadArgumentError);
    expect(sent).toEqual([]);
  });

  it('types nothing when nothing has the focus', async () => {
    const { actions, sent, signal } = create({ typing: { ok: false, problem: 'no field has the focus' } });
    const outcome = await actions.invokeBuiltin('type', { text: 'x' }, signal);
    expect(outcome).toMatchObject({ ok: false, wasRefused: true, message: 'No field has the focus.' });
    expect(sent).toEqual([]);
  });

  it('does nothing once it is aborted', async () => {
    const { actions, sent } = create();
    await expect(actions.invokeBuiltin('click', { x: 1, y: 1 }, AbortSignal.abort(new Error('gone')))).rejects.toThrow(
      'gone',
    );
    expect(sent).toEqual([]);
  });
});

describe('controls', () => {
  it('does not touch the page when the control is gone', async () => {
    const { actions, sent, signal } = create({ find: { ok: false, problem: 'this control is gone' } });
    await expect(actions.invokeControl('button.send', {}, signal)).rejects.toThrow(NotDispatchedError);
    expect(sent).toEqual([]);
  });

  it('tells why a control cannot be clicked', async () => {
    const { actions, sent, signal } = create({ locate: { ok: false, problem: 'button "Send" is disabled' } });
    const outcome = await actions.invokeControl('button.send', {}, signal);
    expect(outcome).toMatchObject({ ok: false, wasRefused: true, message: 'Button "Send" is disabled.' });
    expect(sent).toEqual([]);
  });

  it('fills in the fields and clicks the button', async () => {
    const { actions, sent, signal } = create({
      setField: { ok: true, how: 'type' },
      readBack: { ok: true, matches: true, empty: false },
      locate: { ok: true, x: 1, y: 2 },
    });
    const outcome = await actions.invokeControl('form.compose_send', { recipient: 'ada' }, signal);
    expect(outcome.ok).toBe(true);
    expect(sent).toEqual(['Input.insertText', ...Array(3).fill('Input.dispatchMouseEvent')]);
  });
});
