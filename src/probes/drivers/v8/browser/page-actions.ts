/** Acts on a page as a person would: the agent finds the place, and the input is real. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { ActionArguments, ActionOutcome } from '../../../../model/raw-action.ts';
import { BadArgumentError, NotDispatchedError } from '../../../probe.ts';
import { type CdpSession, CdpTimeout } from '../cdp/cdp-session.ts';
import { describeTimeout, frameOffset, Input, type InputResult, watched } from './input.ts';
import { strokeOf } from './keys.ts';
import type { Arrived } from './page-load.ts';
import { allowedFile, answerChooser } from './upload.ts';

const MAX_TYPED_BY_KEYS = 200;
const MAX_TITLE = 200;
const MAX_SHOWN = 60;
/** An editor draws its new text with the next frame, or slightly later. */
const DRAWING_MS = 40;
const MAX_DRAWING_MS = 1500;
/** The limit of slices for one search. */
const MAX_SLICES = 500;

const reply = z.union([
  z.object({ more: z.literal(true) }),
  z.object({ ok: z.literal(false), problem: z.string(), hasCanvas: z.boolean().optional() }),
  z.object({
    ok: z.literal(true),
    x: z.number().optional(),
    y: z.number().optional(),
    inFrame: z.boolean().optional(),
    how: z.enum(['done', 'type', 'replace', 'click', 'wheel']).optional(),
    matches: z.boolean().optional(),
    empty: z.boolean().optional(),
    binding: z.string().optional(),
    field: z.string().optional(),
    isBox: z.boolean().optional(),
    isFile: z.boolean().optional(),
    shows: z
      .string()
      .transform((text) => text.slice(0, MAX_SHOWN))
      .optional(),
  }),
]);
type Answer = Extract<z.infer<typeof reply>, { ok: true }>;
type Refused = Extract<z.infer<typeof reply>, { ok: false }>;

const drawnPlace = z
  .object({
    count: z.number(),
    x: z.number(),
    y: z.number(),
    shows: z.string().transform((text) => text.slice(0, MAX_SHOWN)),
  })
  .nullable();

export type Arrival = 'loading' | 'dialog' | Arrived;

const CLICKED = { once: 'Clicked', twice: 'Double-clicked', right: 'Right-clicked' } as const;

/** The page refused; earlier effects stay. */
class Refusal extends Error {}

export interface PageActionsOptions {
  readonly session: CdpSession;
  /** The frame of the agent; only needed for frames inside a frame of another origin. */
  readonly frameId?: string;
  /** The time limit of the whole action. */
  readonly limitMs: number;
  /** Allowed schemes besides http and https: those of an app's own pages. */
  readonly ownSchemes?: ReadonlySet<string>;
  /** Folders with files that pages may receive. */
  readonly uploadFolders?: readonly string[];
  /** The result of a navigation; `loaderId` is null within the document. */
  whenUp?(loaderId: string | null, limitMs: number): Promise<Arrival>;
  /** Calls a method of the DOM agent with one JSON text. */
  callAgent(method: string, json: string): Promise<string>;
  /** Asks the app's objects where a text is drawn. */
  locateDrawn?(text: string, within: string): Promise<string>;
}

export class PageActions {
  private readonly options: PageActionsOptions;
  private readonly input: Input;
  private readonly deadline: number;
  /** The page has already been changed. */
  private hasActed = false;

  constructor(options: PageActionsOptions) {
    this.options = options;
    this.deadline = performance.now() + options.limitMs;
    this.input = new Input(options.session, () => this.leftMs());
  }

  invokeBuiltin(name: string, args: ActionArguments, signal: AbortSignal): Promise<ActionOutcome> {
    return this.attempt(async () => {
      switch (name) {
        case 'click':
          return this.click(numberOf(args, 'x'), numberOf(args, 'y'), signal);
        case 'click_text':
          return this.clickText(args, signal);
        case 'drag':
          return this.drag(textOf(args, 'text'), textOf(args, 'to'), optionalText(args, 'in'), signal);
        case 'upload':
          return this.upload(args, signal);
        case 'press_key':
          return this.pressKey(textOf(args, 'key'), signal);
        case 'hover':
          return this.hover(textOf(args, 'text'), optionalText(args, 'in'), signal);
        case 'type':
          return this.type(textOf(args, 'text'), signal);
        case 'fill':
          return this.fill(textOf(args, 'field'), args.value, signal);
        case 'navigate':
          return this.navigate(textOf(args, 'url'), signal);
        case 'clear':
          return this.clear(textOf(args, 'selector'), signal);
        case 'focus':
          await this.ask('focus', { selector: textOf(args, 'selector') }, signal);
          return 'The element has the focus.';
        case 'scroll':
          return this.scroll(numberOf(args, 'x'), numberOf(args, 'y'), numberOf(args, 'deltaY'), signal);
        default:
          throw new BadArgumentError(`There is no action ${name} on pages.`);
      }
    });
  }

  /** `binding`: as in the actions of the DOM agent. */
  invokeControl(binding: string, args: ActionArguments, signal: AbortSignal): Promise<ActionOutcome> {
    return this.attempt(async () => {
      const index = typeof args.index === 'number' ? { index: args.index } : {};
      const known = await this.look('find', { binding, ...index }, signal);
      if (!known.ok) throw new NotDispatchedError(sentence(known.problem));
      if (binding.startsWith('form.')) return this.fillForm(binding, args, signal);
      if (binding.startsWith('field.')) {
        const result = await this.setField({ binding, ...index }, args.value, signal);
        return withDialog('The field is set.', result);
      }
      const located = await this.ask('locate', { binding, ...index }, signal);
      return this.clickOn(located, args.twice === true ? 'twice' : 'once', signal);
    });
  }

  /** A refusal of the page is an outcome; an input that never reached it is an error. */
  private async attempt(work: () => Promise<string>): Promise<ActionOutcome> {
    const outcome = (ok: boolean, message: string) => ({ ok, message, rawReturn: null, invocationContext: null });
    this.hasActed = false;
    try {
      return outcome(true, await work());
    } catch (error) {
      const isHalfDone = error instanceof NotDispatchedError && this.hasActed;
      if (error instanceof Refusal && !this.hasActed)
        return { ...outcome(false, sentence(error.message)), wasRefused: true };
      if (error instanceof Refusal || isHalfDone) return outcome(false, sentence(error.message));
      const busy = describeTimeout(error);
      if (busy === null) throw error;
      return outcome(false, busy);
    }
  }

  private async click(x: number, y: number, signal: AbortSignal): Promise<string> {
    return withDialog(`Clicked at ${x}, ${y}.`, await this.input.click(x, y, signal));
  }

  private async clickText(args: ActionArguments, signal: AbortSignal): Promise<string> {
    const [isTwice, isRight] = [args.twice === true, args.right === true];
    if (isTwice && isRight) throw new BadArgumentError('parameters.twice and parameters.right exclude each other.');
    const query = { text: textOf(args, 'text'), within: optionalText(args, 'in') };
    // The right button only opens a menu, so elements with an action of their own are allowed.
    const found = await this.look('locateText', isRight ? { ...query, hovers: true } : query, signal);
    const located = found.ok ? found : await this.drawn(query, found, signal);
    return this.clickOn(located, isRight ? 'right' : isTwice ? 'twice' : 'once', signal);
  }

  /** A text without an element may be drawn on a canvas by a library whose objects have its position. */
  private async drawn(
    { text, within }: { readonly text: string; readonly within: string },
    { problem, hasCanvas = false }: Refused,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (!hasCanvas) throw new Refusal(problem);
    const { locateDrawn } = this.options;
    const json = await watched(this.options.session, signal, () =>
      inTime(locateDrawn?.(text, within) ?? Promise.resolve('null'), this.leftMs()),
    );
    const place = json.dialog === null ? drawnPlace.parse(JSON.parse(json.value)) : null;
    if (place === null) throw new Refusal(`${problem}, unless it is drawn on a canvas, whose content cannot be read`);
    if (place.count > 1)
      throw new Refusal(
        `${place.count} places show the text ${JSON.stringify(place.shows)}: say in which part of it (in)`,
      );
    const { x, y, shows } = place;
    return { ...(await this.ask('locateDrawn', { x, y, text }, signal)), shows };
  }

  /** Reports the found text: an index, or words that occur several times, may have meant another element. */
  private async clickOn(located: Answer, how: keyof typeof CLICKED, signal: AbortSignal): Promise<string> {
    const { x, y } = await this.pointOf(located);
    const button = how === 'right' ? 'right' : 'left';
    const result = await this.input.click(x, y, signal, { times: how === 'twice' ? 2 : 1, button });
    const on = located.shows === undefined ? '' : ` "${located.shows}"`;
    return withDialog(`${CLICKED[how]}${on}.`, result);
  }

  private async drag(text: string, to: string, within: string, signal: AbortSignal): Promise<string> {
    // Finding an element may scroll: the start is located last, and both must be in view then.
    await this.ask('locateText', { text: to, within: '', hovers: true }, signal);
    await this.ask('locateText', { text, within, hovers: true }, signal);
    const end = await this.ask('locateText', { text: to, within: '', hovers: true, stays: true }, signal);
    const start = await this.ask('locateText', { text, within, hovers: true, stays: true }, signal);
    this.hasActed = true;
    const result = await this.input.drag(await this.pointOf(start), await this.pointOf(end), signal);
    return withDialog(`Dragged${start.shows === undefined ? '' : ` "${start.shows}"`}.`, result);
  }

  private async upload(args: ActionArguments, signal: AbortSignal): Promise<string> {
    const { session, uploadFolders = [] } = this.options;
    const [text, within] = [textOf(args, 'text'), optionalText(args, 'in')];
    const file = allowedFile(textOf(args, 'file'), uploadFolders);
    const { x, y } = await this.pointOf(await this.locateChooser(text, within, signal));
    const click = () => {
      this.hasActed = true;
      return this.input.click(x, y, signal);
    };
    const result = await answerChooser(session, file, click, () => this.leftMs());
    if (result === null) throw new Refusal('It was clicked, and did not ask for a file.');
    return withDialog(`Chose ${path.basename(file)}.`, result);
  }

  /** A visible field of a form, or the words that open its chooser: many pages hide the field itself. */
  private async locateChooser(text: string, within: string, signal: AbortSignal): Promise<Answer> {
    const found = await this.look('findField', { text }, signal);
    if (found.ok && found.isFile === true) {
      const field = await this.look('locate', { binding: found.binding, field: found.field }, signal);
      if (field.ok) return field;
    }
    return this.ask('locateText', { text, within, hovers: true }, signal);
  }

  private async hover(text: string, within: string, signal: AbortSignal): Promise<string> {
    const { x, y } = await this.pointOf(await this.ask('locateText', { text, within, hovers: true }, signal));
    return withDialog('The pointer is on it.', await this.input.move(x, y, signal));
  }

  private async pressKey(key: string, signal: AbortSignal): Promise<string> {
    const stroke = strokeOf(key);
    if (stroke === null)
      throw new BadArgumentError(
        `parameters.key ${JSON.stringify(key.slice(0, 30))} is no key: expected Enter, Escape, Tab, ArrowDown, F2, a, Control+s, …`,
      );
    return withDialog(`Pressed ${key}.`, await this.input.press(stroke, signal));
  }

  private async type(text: string, signal: AbortSignal): Promise<string> {
    await this.ask('typing', {}, signal);
    // Keys need two calls each: a longer text is inserted at once, as if pasted.
    const isShort = text.length <= MAX_TYPED_BY_KEYS;
    const result = await (isShort ? this.input.typeKeys(text, signal) : this.input.insertText(text, signal));
    return withDialog(`Typed ${text.length} characters.`, result);
  }

  private async clear(selector: string, signal: AbortSignal): Promise<string> {
    await this.ask('selectAll', { selector }, signal);
    this.hasActed = true;
    const result = await this.input.pressDelete(signal);
    if (result.dialog !== null) return withDialog('Cleared.', result);
    const { empty } = await this.ask('readBack', { selector, value: '' }, signal);
    if (empty === false) throw new Refusal('The field did not let its content be deleted.');
    return 'Cleared.';
  }

  private async scroll(x: number, y: number, deltaY: number, signal: AbortSignal): Promise<string> {
    const { how } = await this.ask('scroll', { x, y, deltaY }, signal);
    const result = how === 'done' ? { dialog: null } : await this.input.wheel(x, y, deltaY, signal);
    return withDialog(`Scrolled by ${deltaY}.`, result);
  }

  private async navigate(url: string, signal: AbortSignal): Promise<string> {
    const address = readAddress(url, this.options.ownSchemes ?? NO_SCHEMES);
    signal.throwIfAborted();
    // A page that asks before it is left does not respond until the question is answered.
    const { session } = this.options;
    const sent = await watched(session, signal, () => session.send('Page.navigate', { url: address }, this.leftMs()));
    this.hasActed = true;
    if (sent.dialog !== null)
      throw new Refusal(`A dialog opened (${sent.dialog}): accept_dialog leaves the page, dismiss_dialog stays on it.`);
    const { errorText, loaderId } = sent.value;
    if (typeof errorText === 'string' && errorText !== '') throw new Refusal(`The page did not load: ${errorText}.`);
    // Within a document there is no loader.
    const arrival = await this.options.whenUp?.(typeof loaderId === 'string' ? loaderId : null, this.leftMs());
    if (arrival === undefined || arrival === 'dialog') return 'Navigated.';
    if (arrival === 'loading') return 'Navigated; the page is still loading (see page.loading).';
    const { title, missing } = arrival;
    const done = title === '' ? 'Navigated.' : `Navigated to "${title.slice(0, MAX_TITLE)}".`;
    return missing === null ? done : `${done} It still loads ${missing} (see page.loading).`;
  }

  /** One field of a form, which is not submitted. */
  private async fill(text: string, value: unknown, signal: AbortSignal): Promise<string> {
    const { binding, field, isBox } = await this.ask('findField', { text }, signal);
    const wanted = isBox === true ? value === 'true' : value;
    return withDialog(`The field ${field} is set.`, await this.setField({ binding, field }, wanted, signal));
  }

  private async fillForm(binding: string, args: ActionArguments, signal: AbortSignal): Promise<string> {
    for (const [field, value] of Object.entries(args)) {
      if (value === undefined || value === null) continue;
      const result = await this.setField({ binding, field }, value, signal);
      if (result.dialog !== null) return withDialog(`The field ${field} is set; the form was not sent.`, result);
    }
    const button = await this.look('locate', { binding }, signal);
    if (button.ok) {
      const { x, y } = await this.pointOf(button);
      return withDialog('The form was filled in and sent.', await this.input.click(x, y, signal));
    }
    if (!button.problem.endsWith('has no button')) throw new Refusal(button.problem);
    await this.ask('submit', { binding }, signal);
    return 'The form was filled in and submitted.';
  }

  private async setField(query: object, value: unknown, signal: AbortSignal): Promise<InputResult> {
    const answer = await this.ask('setField', { ...query, value }, signal);
    this.hasActed = true;
    if (answer.how === 'done') return { dialog: null };
    if (answer.how === 'click') {
      const { x, y } = await this.pointOf(answer);
      return this.input.click(x, y, signal);
    }
    const text = String(value);
    if (answer.how === 'replace') {
      const selected = await this.input.selectAll(signal);
      if (selected.dialog !== null) return selected;
    }
    const isDone = answer.how === 'replace' && text !== '' && (await this.paste({ ...query, value }, signal));
    const result = isDone ? { dialog: null } : await this.typeOver(text, signal);
    if (result.dialog !== null) return result;
    const { matches, empty } = await this.readBack({ ...query, value }, answer.how === 'replace', signal);
    if (matches === false && answer.how === 'replace') throw new Refusal('The editor did not take the text as it is.');
    // A field may reformat its text (a phone number), but it must have accepted something.
    if (matches === false && (empty === true) !== (text === '')) throw new Refusal('The field did not take the text.');
    return result;
  }

  private async paste(query: object, signal: AbortSignal): Promise<boolean> {
    return (await this.ask('paste', query, signal)).how === 'done';
  }

  private typeOver(text: string, signal: AbortSignal): Promise<InputResult> {
    // An empty text would leave the selected content in place.
    return text === '' ? this.input.pressDelete(signal) : this.input.insertText(text, signal);
  }

  /** `isDrawn`: the text of an editor is visible once it has been drawn. */
  private async readBack(query: object, isDrawn: boolean, signal: AbortSignal): Promise<Answer> {
    const deadline = performance.now() + Math.min(MAX_DRAWING_MS, this.leftMs());
    for (;;) {
      const answer = await this.ask('readBack', query, signal);
      if (!isDrawn || answer.matches === true || performance.now() > deadline) return answer;
      await delay(DRAWING_MS, undefined, { signal });
    }
  }

  private async pointOf({ x, y, inFrame }: Answer): Promise<{ x: number; y: number }> {
    if (x === undefined || y === undefined) throw new Refusal('the page did not report where the element is');
    const { session, frameId } = this.options;
    if (inFrame !== true || frameId === undefined) return { x, y };
    const offset = await frameOffset(session, frameId);
    return { x: x + offset.x, y: y + offset.y };
  }

  private async ask(method: string, query: object, signal: AbortSignal): Promise<Answer> {
    const answer = await this.look(method, query, signal);
    if (!answer.ok) throw new Refusal(answer.problem);
    return answer;
  }

  private async look(method: string, query: object, signal: AbortSignal): Promise<Answer | Refused> {
    const json = JSON.stringify(query);
    for (let slice = 0; slice < MAX_SLICES; slice++) {
      signal.throwIfAborted();
      const answer = await this.callAgent(method, json, signal);
      if ('ok' in answer) return answer;
    }
    return { ok: false, problem: 'the page changes too fast to be read' };
  }

  private leftMs(): number {
    return Math.max(1, this.deadline - performance.now());
  }

  /** A handler of the page may open a dialog, which would block the call. */
  private async callAgent(method: string, json: string, signal: AbortSignal): Promise<z.infer<typeof reply>> {
    const call = await watched(this.options.session, signal, () =>
      inTime(this.options.callAgent(method, json), this.leftMs()),
    );
    this.hasActed ||= call.dialog !== null;
    if (call.dialog !== null)
      throw new Refusal(`a dialog opened (${call.dialog}): the page waits until it is answered`);
    return reply.parse(JSON.parse(call.value));
  }
}

function inTime<T>(call: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CdpTimeout('the agent got no time')), limitMs);
    call.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return first.endsWith('.') ? first : `${first}.`;
}

function withDialog(done: string, { dialog }: InputResult): string {
  return dialog === null ? done : `${done} A dialog opened (${dialog}): the page waits until it is answered.`;
}

/** In a browser a local file would become readable by everybody who has a key. */
const OPENABLE: ReadonlySet<string> = new Set(['http:', 'https:']);
const NO_SCHEMES: ReadonlySet<string> = new Set();

/** `javascript:` would run code of the caller in the page; text that is no address would be searched for. */
function readAddress(url: string, ownSchemes: ReadonlySet<string>): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed)
    throw new BadArgumentError(`"${url.slice(0, 100)}" is no URL: give all of it, such as https://example.org/.`);
  if (!OPENABLE.has(parsed.protocol) && !ownSchemes.has(parsed.protocol) && parsed.href !== 'about:blank')
    throw new BadArgumentError(`Addresses that begin with ${parsed.protocol.slice(0, 30)} are not opened.`);
  return parsed.href;
}

function numberOf(args: ActionArguments, name: string): number {
  const value = args[name];
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new BadArgumentError(`parameters.${name} must be a number.`);
  return value;
}

function optionalText(args: ActionArguments, name: string): string {
  return args[name] === undefined ? '' : textOf(args, name);
}

function textOf(args: ActionArguments, name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new BadArgumentError(`parameters.${name} must be a string.`);
  return value;
}
