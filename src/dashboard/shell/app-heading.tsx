import { useState } from 'preact/hooks';
import { SubstrateError } from '../../client/index.ts';
import { adviceFor } from '../actions/advice.ts';
import { ConfidenceMeter } from '../apps/confidence-meter.tsx';
import { StatusBadge } from '../apps/status-badge.tsx';
import type { LiveApp } from '../live/live-app.ts';
import { ageOf } from '../ui/age.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { messageOf } from '../ui/message-of.ts';
import { toast } from '../ui/toast.tsx';
import { visible } from '../ui/value-text.ts';
import { linkToList } from './route.ts';

export function AppHeading({ app }: { app: LiveApp }) {
  const { summary, state } = app;
  const name = summary?.app_name ?? state?.app_name;
  const confidence = state?.confidence ?? (summary?.has_state ? summary.confidence : undefined);
  const reason = state?.confidence_reason ?? summary?.confidence_reason ?? null;
  const where = state?.context.url ?? state?.context.window_title ?? state?.context.view;
  return (
    <div class="shell-heading">
      <a class="shell-back" href={linkToList()} aria-label="Back to the list of apps">
        <Icon name="back" />
      </a>
      <div class="shell-title">
        <h1>{visible(name ?? `pid ${app.pid}`)}</h1>
        <p>
          {name !== undefined && <span>pid {app.pid}</span>}
          {summary && <Badge>{summary.runtime_name}</Badge>}
          {summary && <StatusBadge status={summary.probe_status} />}
          {where && (
            <span class="shell-where" title={visible(where)}>
              {visible(where)}
            </span>
          )}
        </p>
      </div>
      {confidence !== undefined && (
        <div class="shell-capture">
          <ConfidenceMeter confidence={confidence} reason={reason} isExplained />
          {state && (
            <span class="shell-capture-id" title={`Capture ${state.capture_id}, taken ${state.captured_at}`}>
              <span>changed {ageOf(state.captured_at)}</span>
              <code>{state.capture_id.slice(-12)}</code>
            </span>
          )}
          <LookNow app={app} />
        </div>
      )}
    </div>
  );
}

function LookNow({ app }: { app: LiveApp }) {
  const [isLooking, setLooking] = useState(false);
  const look = async () => {
    setLooking(true);
    try {
      await app.refresh();
    } catch (error) {
      const advice = error instanceof SubstrateError ? adviceFor(error) : null;
      toast(advice ?? messageOf(error), 'bad');
    }
    setLooking(false);
  };
  return (
    <Button onClick={() => void look()} disabled={isLooking}>
      <Icon name="look" /> <span class="shell-look">{isLooking ? 'Looking…' : 'Look now'}</span>
    </Button>
  );
}
