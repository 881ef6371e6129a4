/** The DOM agent: the visible content of a document, and the controls that actions use. */
import type { PageAgentOptions, PageTroubles } from '../protocol.ts';
import { ElementCalls } from './actions/element-calls.ts';
import { parseQuery } from './actions/locator.ts';
import { dataKind, hasScripts, isLoading, showsNothing } from './data/document-kind.ts';
import { DocumentReader } from './document-reader.ts';
import { DomReporter } from './dom-reporter.ts';
import { MutationWatch } from './watch/mutation-watch.ts';

/**
 * All methods take and return JSON text; those below `changed` take a query (`locator.ts`) and answer for one element.
 */
export interface DomAgent {
  /**
   * A report, or `{"more":true}` if the slice is used up and another call is needed. `isBusy`: the document is still
   * loading.
   */
  poll(full: boolean, isBusy: boolean, troubles: PageTroubles | null): string;
  /** Resolves after the next change that a poll would report, except for values that a script sets silently. */
  changed(): Promise<void>;
  dispose(): void;
  /** The document is a text or data, not a page. */
  isData(): boolean;
  /** A script has run in it, or is about to. */
  hasScripts(): boolean;
  /** It is loaded, and shows nothing. */
  isBlank(): boolean;
  find(query: string): string;
  findField(query: string): string;
  locate(query: string): string;
  locateText(query: string): string;
  locateDrawn(query: string): string;
  focus(query: string): string;
  selectAll(query: string): string;
  setField(query: string): string;
  paste(query: string): string;
  readBack(query: string): string;
  typing(): string;
  scroll(query: string): string;
  submit(query: string): string;
}

export default function createDomAgent(options: PageAgentOptions): DomAgent {
  const watch = new MutationWatch();
  const reader = new DocumentReader(watch, options.maxKeys);
  const reporter = new DomReporter(options, reader);
  const calls = new ElementCalls(reader, options.sliceMs);
  const answer = (method: Exclude<keyof ElementCalls, 'typing'>) => (query: string) => {
    watch.renew();
    const answer = JSON.stringify(calls[method](parseQuery(query)));
    // The following input moves the pointer, and style sheets may show something for it.
    watch.noteRestyled();
    return answer;
  };
  return {
    poll(full, isBusy, troubles) {
      watch.renew();
      return JSON.stringify(reporter.poll(full, isBusy, troubles));
    },
    changed: () => watch.changed(),
    dispose() {
      watch.stop();
      reader.forget();
    },
    isData: () => dataKind() !== null,
    hasScripts,
    isBlank: () => !isLoading() && showsNothing(),
    find: answer('find'),
    findField: answer('findField'),
    locate: answer('locate'),
    locateText: answer('locateText'),
    locateDrawn: answer('locateDrawn'),
    focus: answer('focus'),
    selectAll: answer('selectAll'),
    setField: answer('setField'),
    paste: answer('paste'),
    readBack: answer('readBack'),
    typing: () => JSON.stringify(calls.typing()),
    scroll: answer('scroll'),
    submit: answer('submit'),
  };
}
