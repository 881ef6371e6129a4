import type { AppsModel, Link } from '../live/apps-model.ts';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Logo } from './logo.tsx';
import { HOSTS_LINK, linkToList } from './route.ts';
import { type ThemeChoice, useTheme } from './theme.ts';

const LINKS: Record<Link['kind'], { readonly text: string; readonly icon: IconName; readonly tone: string }> = {
  connecting: { text: 'connecting', icon: 'wait', tone: 'dim' },
  connected: { text: 'connected', icon: 'active', tone: 'good' },
  lost: { text: 'no answer', icon: 'error', tone: 'bad' },
  refused: { text: 'key refused', icon: 'error', tone: 'bad' },
};
const THEME_ICONS: Record<ThemeChoice, IconName> = { system: 'system', light: 'light', dark: 'dark' };

/** `host` is the one whose apps are shown; null without a fleet. */
export function Header({ apps, host, onHelp }: { apps: AppsModel; host: string | null; onHelp: () => void }) {
  const theme = useTheme();
  const link = LINKS[apps.link.kind];
  const isInTrouble = apps.link.kind === 'lost' && apps.link.reason !== null;
  return (
    <header class="shell-header">
      <a class="shell-name" href={linkToList()}>
        <Logo /> substrate
      </a>
      {host !== null && (
        <a class="shell-host" href={HOSTS_LINK} title="All hosts">
          {host}
        </a>
      )}
      {apps.health && <span class="shell-version">{apps.health.version}</span>}
      <span class={`shell-link shell-link-${link.tone}`} role="status">
        <Icon name={link.icon} /> {isInTrouble ? 'trouble' : link.text}
      </span>
      <span class="shell-space" />
      <Button kind="quiet" label={`Colours: ${theme.choice}`} onClick={theme.next}>
        <Icon name={THEME_ICONS[theme.choice]} />
      </Button>
      <Button kind="quiet" label="Keys" onClick={onHelp}>
        ?
      </Button>
    </header>
  );
}
