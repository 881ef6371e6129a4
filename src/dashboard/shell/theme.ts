/** Light or dark: the setting of the system, until the user chooses. */
import { useLayoutEffect, useState } from 'preact/hooks';

const KEPT_AS = 'substrate-theme';
const CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof CHOICES)[number];

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

export function useTheme(): { choice: ThemeChoice; next: () => void } {
  const [choice, setChoice] = useState<ThemeChoice>(keptChoice);
  useLayoutEffect(() => {
    const apply = () => showTheme(choice);
    apply();
    localStorage.setItem(KEPT_AS, choice);
    systemIsDark.addEventListener('change', apply);
    return () => systemIsDark.removeEventListener('change', apply);
  }, [choice]);
  const next = () => setChoice((now) => CHOICES[(CHOICES.indexOf(now) + 1) % CHOICES.length] ?? 'system');
  return { choice, next };
}

/** Call it before anything is drawn. */
export function showKeptTheme(): void {
  showTheme(keptChoice());
}

function showTheme(choice: ThemeChoice): void {
  const isDark = choice === 'dark' || (choice === 'system' && systemIsDark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

function keptChoice(): ThemeChoice {
  return CHOICES.find((choice) => choice === localStorage.getItem(KEPT_AS)) ?? 'system';
}
