import type { ComponentChildren } from 'preact';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

/** A word in a frame. The tone only emphasises the word. */
export function Badge({
  children,
  tone = 'neutral',
  title,
}: {
  children: ComponentChildren;
  tone?: Tone;
  title?: string;
}) {
  return (
    <span class={`ui-badge ui-badge-${tone}`} title={title}>
      {children}
    </span>
  );
}
