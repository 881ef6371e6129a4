import type { ComponentChildren } from 'preact';

/** Where there is nothing to show: says why, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="ui-empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
