/** The rows of the tree. Only visible ones are in the document, however many there are. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pinsOf } from '../charts/pins.ts';
import { togglePin } from '../charts/toggle-pin.ts';
import { useModel } from '../live/app-model.ts';
import type { StateBrowser } from './state-browser.ts';
import { keyMove } from './tree-keys.ts';
import { rowId, TreeRow } from './tree-row.tsx';

/** A finger needs more room than a pointer. */
const ROW_PX = matchMedia('(pointer: coarse)').matches ? 34 : 24;
/** Drawn beyond the edges, so that scrolling shows no gap. */
const SPARE_ROWS = 8;
/** How long a change is highlighted: the length of the animation in state.css. */
const FLASH_MS = 1200;

export function TreeRows({ browser }: { browser: StateBrowser }) {
  useModel(browser);
  const { rows, app } = browser;
  const pins = pinsOf(app);
  useModel(pins);
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const height = useHeight(box);
  const [cursor, setCursor] = useState<string | null>(browser.selected);
  const cursorNode = cursor === null ? undefined : browser.tree.get(cursor);
  const at = Math.max(0, cursorNode ? rows.indexOf(cursorNode) : 0);
  const first = Math.max(0, Math.min(rows.length, top - SPARE_ROWS));
  const shown = rows.slice(first, first + Math.ceil(height / ROW_PX) + 2 * SPARE_ROWS);

  const moveTo = (index: number) => {
    const row = rows[index];
    if (!row) return;
    setCursor(row.path);
    const { current } = box;
    if (!current) return;
    const from = index * ROW_PX;
    const to = from + ROW_PX;
    if (from < current.scrollTop) current.scrollTop = from;
    else if (to > current.scrollTop + current.clientHeight) current.scrollTop = to - current.clientHeight;
  };
  useEffect(() => {
    const node = browser.selected === null ? undefined : browser.tree.get(browser.selected);
    if (node) moveTo(rows.indexOf(node));
  }, [browser.selected]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pointed = rows[at];
    if (event.key === 'p' && pointed?.hasValue) {
      event.preventDefault();
      togglePin(pins, pointed.path);
      return;
    }
    const move = keyMove(event.key, { rows, at, browser, page: Math.max(1, Math.floor(height / ROW_PX) - 1) });
    if (move === null) return;
    event.preventDefault();
    if (move !== 'done') moveTo(move);
  };
  const onClick = ({ target, altKey }: MouseEvent) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
    const node = rows[Number(row?.dataset.at ?? -1)];
    if (!node || !(target instanceof Element)) return;
    setCursor(node.path);
    const isToggle = !node.hasValue || (node.children.length > 0 && target.closest('.state-toggle') !== null);
    if (target.closest('.state-pin')) togglePin(pins, node.path);
    else if (altKey) browser.openBelow(node);
    else if (isToggle) browser.setOpen(node, !browser.isOpen(node));
    else browser.select(node.path);
  };
  const now = Date.now();
  return (
    <div
      ref={box}
      class="state-tree"
      role="tree"
      aria-label="State"
      tabIndex={0}
      aria-activedescendant={at >= first && at < first + shown.length ? rowId(at) : undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / ROW_PX))}
    >
      <div
        class="state-tree-all"
        role="presentation"
        style={{ height: `${rows.length * ROW_PX}px`, '--state-row': `${ROW_PX}px` }}
      >
        <div role="presentation" style={{ transform: `translateY(${first * ROW_PX}px)` }}>
          {shown.map((node, index) => (
            <TreeRow
              key={node.path}
              at={first + index}
              node={node}
              count={node.count}
              freshAtMs={now - node.changedAtMs < FLASH_MS ? node.changedAtMs : 0}
              value={app.values.get(node.path)}
              query={browser.filter.query}
              isOpen={node.children.length > 0 && browser.isOpen(node)}
              isCursor={first + index === at}
              isSelected={node.path === browser.selected}
              isPinned={pins.has(node.path)}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function useHeight(box: { current: HTMLElement | null }): number {
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    if (box.current) setHeight(box.current.clientHeight);
  }, []);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => setHeight(current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return height;
}
