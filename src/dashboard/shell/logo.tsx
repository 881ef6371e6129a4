export function Logo() {
  return (
    <svg class="shell-logo" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true" focusable="false">
      <rect width="16" height="16" rx="4" fill="var(--accent)" />
      <path d="M3.5 5h9M3.5 8h6M3.5 11h9" stroke="var(--accent-text)" stroke-width="1.6" stroke-linecap="round" />
    </svg>
  );
}
