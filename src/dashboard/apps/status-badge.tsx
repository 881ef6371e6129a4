import type { ProbeStatus } from '../../client/index.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

const STATUSES: Record<ProbeStatus, { readonly text: string; readonly icon: IconName; readonly tone: Tone }> = {
  detecting: { text: 'detecting', icon: 'wait', tone: 'neutral' },
  attaching: { text: 'attaching', icon: 'wait', tone: 'neutral' },
  cold_probe: { text: 'first look', icon: 'wait', tone: 'neutral' },
  active: { text: 'active', icon: 'active', tone: 'good' },
  error: { text: 'error', icon: 'error', tone: 'bad' },
  detached: { text: 'ended', icon: 'ended', tone: 'neutral' },
};

export function StatusBadge({ status }: { status: ProbeStatus }) {
  const { text, icon, tone } = STATUSES[status];
  return (
    <Badge tone={tone}>
      <Icon name={icon} /> {text}
    </Badge>
  );
}
