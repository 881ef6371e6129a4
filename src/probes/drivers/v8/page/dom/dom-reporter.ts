/** Compares the screen with its last report, and reports the difference. */
import type { LeafRoot } from '../../../../../model/leaves.ts';
import type { Classification } from '../../tree/classification.ts';
import { takeDiscarded } from '../../tree/discarded.ts';
import { ShadowTree } from '../../tree/shadow-tree.ts';
import type { DomReport, PageAction, PageAgentOptions, PageContext, PageTroubles, Unfinished } from '../protocol.ts';
import type { ActionList } from './actions/page-actions.ts';
import { isLoading, showsNothing } from './data/document-kind.ts';
import { WebStorage } from './data/web-storage.ts';
import type { DocumentReader } from './document-reader.ts';
import { refreshFields } from './fields/field-values.ts';
import { documentHasFocus, documentTitle } from './nodes.ts';
import { type Data, ROOT_KINDS, type RootKind } from './screen.ts';
import { viewOfAddress, viewOfTexts } from './view-name.ts';

const NO_TROUBLES = '{}';
const UNFINISHED: Unfinished = { more: true };
const FIELDS: Classification = { expand: 'fields' };
const ARRAY: Classification = { expand: 'array' };

export class DomReporter {
  private readonly options: PageAgentOptions;
  private readonly reader: DocumentReader;
  private readonly storage = new WebStorage();
  private readonly model: Data = {};
  private readonly tree: ShadowTree;
  /** The screen that the tree has read. */
  private shown: object | null = null;
  private isBusy = false;
  private wasLoading = false;
  private inView: Data = {};
  /** The known failures of the page, and whether it shows nothing; as JSON, to be compared. */
  private troubles = NO_TROUBLES;
  private given: PageTroubles | null = null;
  private isExpanding = false;
  /** The document was read for this report. */
  private isFresh = false;
  private sentRoots = '';
  private sentActions = '';
  private sentList: ActionList | null = null;
  private view: { href: string; screen: object; name: string | null } | null = null;
  private spentMs = 0;

  constructor(options: PageAgentOptions, reader: DocumentReader) {
    this.options = options;
    this.reader = reader;
    this.tree = new ShadowTree(this.model, {
      classify: (value) => (Array.isArray(value) ? ARRAY : FIELDS),
      maxLeaves: options.maxKeys,
      now: () => performance.now(),
      isScope: () => false,
    });
  }

  poll(full: boolean, isBusy: boolean, troubles: PageTroubles | null): DomReport | Unfinished {
    this.isBusy = isBusy;
    this.given = troubles;
    const startedAt = performance.now();
    const report = this.step(full, startedAt + this.options.sliceMs);
    this.spentMs += performance.now() - startedAt;
    if (report.more) return report;
    const { spentMs } = this;
    this.spentMs = 0;
    return { ...report, spentMs };
  }

  private step(full: boolean, deadline: number): DomReport | Unfinished {
    if (!this.isExpanding) {
      // Read once per report, so that a page that changes all the time is still reported.
      if (!this.isFresh && this.reader.refresh(deadline) === 'unfinished') return UNFINISHED;
      this.isFresh = true;
      if (performance.now() > deadline) return UNFINISHED;
      this.compare();
    }
    this.isExpanding = !this.tree.expand(deadline);
    if (this.isExpanding) return UNFINISHED;
    this.isFresh = false;
    return this.report(full);
  }

  private compare(): void {
    const { screen } = this.reader;
    const hasNewValues = refreshFields(screen.fields);
    const hasNewStorage = this.storage.refresh();
    const isNowLoading = this.isBusy || isLoading();
    const isBlank = !isNowLoading && screen.isEmpty && showsNothing();
    const troubles = JSON.stringify({ ...(isBlank ? { blank: true } : {}), ...this.given });
    const { inView } = this.reader;
    const isSame =
      screen === this.shown && isNowLoading === this.wasLoading && troubles === this.troubles && inView === this.inView;
    if (!hasNewValues && !hasNewStorage && isSame) return;
    this.shown = screen;
    this.wasLoading = isNowLoading;
    this.troubles = troubles;
    this.inView = inView;
    this.fillModel();
    this.tree.compare();
  }

  private fillModel(): void {
    for (const kind of ROOT_KINDS) {
      const value = kind === 'storage' ? this.storage.data : this.shownOf(kind);
      const name = `${this.options.rootPrefix}__${kind}`;
      if (value && Object.keys(value).length > 0) this.model[name] = value;
      else delete this.model[name];
    }
  }

  private shownOf(kind: RootKind): Data | unknown[] | undefined {
    const value = this.reader.screen.roots.get(kind);
    if (kind !== 'page') return value;
    const hasView = Object.keys(this.inView).length > 0;
    if (!this.wasLoading && this.troubles === NO_TROUBLES && !hasView) return value;
    return {
      ...(this.wasLoading ? { loading: true } : {}),
      ...JSON.parse(this.troubles),
      ...value,
      ...(hasView ? { in_view: this.inView } : {}),
    };
  }

  private report(full: boolean): DomReport {
    const dropped = takeDiscarded(full);
    const { leafCount } = this.tree;
    const leftOut = this.tree.leftOut + this.reader.screen.leftOut + this.storage.leftOut;
    return {
      more: false,
      leaves: full ? this.tree.takeFull() : this.tree.takeUpdate(),
      roots: this.takeRoots(full),
      actions: this.takeActions(full),
      rawCount: leafCount + leftOut,
      coverage: this.reader.coverage * (leafCount === 0 ? 1 : leafCount / (leafCount + leftOut)),
      stopped: false,
      context: this.context(),
      spentMs: 0,
      ...(dropped ? { discarded: dropped } : {}),
    };
  }

  private takeRoots(full: boolean): LeafRoot[] | null {
    const { rootPrefix, labelPrefix } = this.options;
    const kinds = ROOT_KINDS.filter((kind) => `${rootPrefix}__${kind}` in this.model);
    const text = kinds.join();
    if (!full && text === this.sentRoots) return null;
    this.sentRoots = text;
    return kinds.map((kind) => ({
      name: `${rootPrefix}__${kind}`,
      origin: kind === 'storage' ? 'web storage of the page' : `${kind} shown in the page`,
      mangled: false,
      label: labelPrefix === '' ? kind : `${labelPrefix}.${kind}`,
    }));
  }

  private takeActions(full: boolean): PageAction[] | null {
    const { actions } = this.reader;
    this.reader.reported = actions;
    if (!full && actions === this.sentList) return null;
    this.sentList = actions;
    const text = JSON.stringify(actions.actions);
    if (!full && text === this.sentActions) return null;
    this.sentActions = text;
    return actions.actions;
  }

  private context(): PageContext {
    const { href, pathname } = location;
    const { screen } = this.reader;
    if (this.view?.href !== href || this.view.screen !== screen) {
      const { heading, mainHeading, current, dialog } = screen;
      const name = viewOfAddress(location) ?? viewOfTexts([heading, mainHeading, current, dialog, documentTitle()]);
      this.view = { href, screen, name };
    }
    return {
      url: href,
      location: pathname,
      view: this.view.name,
      title: documentTitle(),
      visible: document.visibilityState === 'visible',
      focused: documentHasFocus(),
    };
  }
}
