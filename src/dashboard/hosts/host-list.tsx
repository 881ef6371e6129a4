/** Lists the hosts of the fleet. The daemon of this page forwards requests to the others. */
import type { HostsResponse } from '../../client/index.ts';
import { linkToHost } from '../shell/route.ts';
import { ageOf } from '../ui/age.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { visible } from '../ui/value-text.ts';

export function HostList({ hosts, shown }: { hosts: HostsResponse | null; shown: string | null }) {
  if (hosts === null) return <p class="shell-wait">Asking for the hosts…</p>;
  if (hosts.host === null)
    return (
      <EmptyState title="No fleet">
        <p>{visible(hosts.problem ?? '')}</p>
      </EmptyState>
    );
  const current = shown ?? hosts.host;
  return (
    <div class="hosts">
      <h1>Hosts</h1>
      {hosts.problem !== null && (
        <p class="shell-problem" role="status">
          {visible(hosts.problem)}
        </p>
      )}
      <ul class="hosts-list">
        {hosts.hosts.map(({ host, version, since, self, problem }) => (
          <li key={host}>
            <a href={linkToHost(self ? null : host)} aria-current={host === current ? 'true' : undefined}>
              {host}
            </a>
            <span class="hosts-about">
              {self && 'this daemon, '}version {visible(version)}, since {ageOf(since)}
            </span>
            {problem !== null && <span class="hosts-problem">{visible(problem)}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
