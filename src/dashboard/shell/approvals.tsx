/** Actions that wait for the user of the page: who requests what, and what has changed since. */
import { useState } from 'preact/hooks';
import type { Approval } from '../../client/index.ts';
import { ChangeRows } from '../changes/change-rows.tsx';
import type { AppsModel } from '../live/apps-model.ts';
import { ageOf } from '../ui/age.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/message-of.ts';
import { toast } from '../ui/toast.tsx';
import { visible } from '../ui/value-text.ts';

export function Approvals({ apps }: { apps: AppsModel }) {
  if (apps.approvals.length === 0) return null;
  return (
    <section class="approvals" aria-label="Actions that wait for you">
      {apps.approvals.map((approval) => (
        <Waiting key={approval.id} approval={approval} apps={apps} />
      ))}
    </section>
  );
}

function Waiting({ approval, apps }: { approval: Approval; apps: AppsModel }) {
  const [isBusy, setBusy] = useState(false);
  const { id, pid, key_id, reversibility, changes, change_count } = approval;
  // An app or the requester chooses all of these texts.
  const [action, appName, who] = [approval.action, approval.app_name, approval.key_label ?? key_id].map(visible);
  const decide = async (isYes: boolean) => {
    setBusy(true);
    try {
      await apps.decide(id, isYes);
      toast(isYes ? `${action} may run.` : `${action} was refused.`);
    } catch (error) {
      toast(messageOf(error), 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="approvals-one" role="alert">
      <h2 class="approvals-title">
        <strong>{who}</strong> wants to run <code>{action}</code> in {appName} (pid {pid})
      </h2>
      <p class="approvals-facts">
        <Badge tone={reversibility === 'irreversible_write' ? 'bad' : 'neutral'}>{reversibility}</Badge>{' '}
        {visible(approval.description)} <span class="approvals-age">asked {ageOf(approval.asked_at)}</span>
      </p>
      <Parameters approval={approval} />
      <p class="approvals-before">{visible(beforeOf(approval))}</p>
      {change_count > 0 && (
        <details>
          <summary>{change_count === 1 ? '1 key has' : `${change_count} keys have`} changed since</summary>
          <ChangeRows rows={changes} label="Changed since it was asked for" />
        </details>
      )}
      <p class="approvals-buttons">
        <Button kind="main" disabled={isBusy} onClick={() => void decide(true)}>
          Approve
        </Button>
        <Button kind="danger" disabled={isBusy} onClick={() => void decide(false)}>
          Deny
        </Button>
      </p>
    </div>
  );
}

function beforeOf({ earlier_runs: { count, last_changed } }: Approval): string {
  if (count === 0) return 'It has not run since the daemon attached to the app.';
  const changed = last_changed.length === 0 ? 'nothing that is read' : last_changed.join(', ');
  return `It has run ${count === 1 ? 'once' : `${count} times`}; the last time it changed: ${changed}.`;
}

function Parameters({ approval }: { approval: Approval }) {
  const { action, binding, parameters, verify_expression, already_true } = approval;
  const rows = [
    ...(binding === action ? [] : [['calls', binding]]),
    ...Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)]),
    ...(verify_expression === null
      ? []
      : [['verified by', `${verify_expression}${already_true ? ' (true already, before the action)' : ''}`]]),
  ];
  if (rows.length === 0) return null;
  return (
    <dl class="approvals-parameters">
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{visible(name ?? '')}</dt>
          <dd>
            <code>{visible(text ?? '')}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
