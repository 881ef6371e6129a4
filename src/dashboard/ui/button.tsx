import type { ComponentChildren } from 'preact';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => void;
  /** `plain` is the default, `main` the purpose of a form, `quiet` has no frame. */
  readonly kind?: 'plain' | 'main' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  /** The accessible name of a button with only an icon; also its tooltip. */
  readonly label?: string;
  /** For a toggle button. */
  readonly pressed?: boolean;
  readonly class?: string;
}

export function Button({ children, kind = 'plain', type = 'button', label, pressed, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      disabled={rest.disabled}
      onClick={rest.onClick}
      class={`ui-button ui-button-${kind} ${rest.class ?? ''}`}
      aria-label={label}
      aria-pressed={pressed}
      title={label}
    >
      {children}
    </button>
  );
}
