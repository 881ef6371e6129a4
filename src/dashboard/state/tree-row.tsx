import { Component } from 'preact';
import type { Scalar } from '../../client/index.ts';
import { grouped } from '../ui/grouped.ts';
import { Icon } from '../ui/icon.tsx';
import { Value } from '../ui/value.tsx';
import { visible } from '../ui/value-text.ts';
import { pieces } from './search.ts';
import type { TreeNode } from './tree.ts';

const MAX_VALUE = 160;
const STEP_PX = 16;
const UNNAMED = /^unknown_0x/;

/** A node changes in place, so the displayed values are separate props, to make differences visible. */
export interface TreeRowProps {
  readonly at: number;
  readonly node: TreeNode;
  /** Number of values below it. */
  readonly count: number;
  /** The time of its change while that is recent; otherwise 0. */
  readonly freshAtMs: number;
  readonly value: Scalar | undefined;
  readonly query: string;
  readonly isOpen: boolean;
  readonly isCursor: boolean;
  readonly isSelected: boolean;
  /** Pinned to the charts. */
  readonly isPinned: boolean;
}

/** Drawn only if a prop differs: most rows stay the same while others change, or during scrolling. */
export class TreeRow extends Component<TreeRowProps> {
  override shouldComponentUpdate(next: TreeRowProps): boolean {
    const { props } = this;
    return (Object.keys(next) as (keyof TreeRowProps)[]).some((name) => props[name] !== next[name]);
  }

  override render(props: TreeRowProps) {
    return <Row {...props} />;
  }
}

/** The tree has the focus and handles clicks and keys. */
function Row(props: TreeRowProps) {
  const { at, node, count, freshAtMs, value, query, isOpen, isCursor, isSelected, isPinned } = props;
  const hasBranch = node.children.length > 0;
  const isFresh = freshAtMs > 0;
  return (
    <div
      id={rowId(at)}
      data-at={at}
      class={`state-row ${isCursor ? 'state-cursor' : ''}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={node.depth + 1}
      aria-expanded={hasBranch ? isOpen : undefined}
      aria-selected={isSelected}
      style={{ paddingLeft: `${8 + node.depth * STEP_PX}px` }}
    >
      <span class="state-toggle">{hasBranch && <Icon name={isOpen ? 'open' : 'closed'} />}</span>
      <span class={`state-name ${UNNAMED.test(node.name) ? 'state-unnamed' : ''}`} title={visible(node.path)}>
        <Marked path={node.path} name={node.name} query={query} />
      </span>
      {UNNAMED.test(node.name) && <span class="state-note">unnamed</span>}
      {hasBranch && <span class="state-below">{grouped(count)}</span>}
      {/* A new key creates a new element, so its animation restarts. A right-to-left text is cut at its left. */}
      <span key={freshAtMs} class={`state-value ${isFresh ? 'state-fresh' : ''}`} dir="auto">
        {node.hasValue ? <Value value={value} limit={MAX_VALUE} /> : !isOpen && isFresh && <i class="state-dot" />}
      </span>
      {node.hasValue && (
        <button
          type="button"
          class="state-pin"
          tabIndex={-1}
          aria-pressed={isPinned}
          aria-label={`Pin ${visible(node.path)} to the charts`}
          title="Pin to the charts (p)"
        >
          <Icon name="pin" />
        </button>
      )}
    </div>
  );
}

export const rowId = (at: number) => `state-row-${at}`;

function Marked({ path, name, query }: { path: string; name: string; query: string }) {
  return (
    <>
      {pieces(path, name, query).map(({ text, isMatch }, index) =>
        isMatch ? <mark key={index}>{visible(text)}</mark> : visible(text),
      )}
    </>
  );
}
