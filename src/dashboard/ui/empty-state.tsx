import type { ComponentChildren } from 'preact';

/** Replaces missing content: gives the reason, and the remedy. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="ui-empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
