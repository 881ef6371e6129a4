/** `substrate apps`: the apps of this machine, and which of them can be read. */
import type { AppSummary, Attachment, ProbeStatus } from '../../client/node.ts';
import { messageOf } from '../../model/failure.ts';
import { inTime, LIST_MS } from '../connection.ts';
import { table } from '../table.ts';
import { type Colour, printable } from '../terminal.ts';
import type { CommandContext } from './command.ts';

const STATUS_COLOURS: Record<ProbeStatus, Colour> = {
  detecting: 'yellow',
  attaching: 'yellow',
  cold_probe: 'yellow',
  active: 'green',
  error: 'red',
  detached: 'dim',
};

/** Below it a state is hardly useful, and people want the reason. */
const POOR = 0.8;
const DISPENSABLE = ['CONF', 'ACTIONS', 'KEYS', 'RUNTIME', 'NAME'];

/** The number of hosts that are asked at the same time. */
const AT_ONCE = 16;

type AppsOfHost = { readonly apps: readonly AppSummary[] } | { readonly problem: string };

/** The apps of every host, or the reason why a host does not list them. */
export async function listHosts({ substrate, terminal, json }: CommandContext): Promise<void> {
  const { hosts, problem } = await substrate.hosts(inTime(LIST_MS));
  const found = new Map<string, AppsOfHost>();
  const waiting = hosts.map(({ host }) => host);
  const work = async () => {
    for (let host = waiting.shift(); host !== undefined; host = waiting.shift())
      found.set(host, await appsOf(substrate, host));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const listed = hosts.map((host) => ({ ...host, ...(found.get(host.host) ?? { apps: [] }) }));
  if (json) return terminal.json({ problem, total: hosts.length, hosts: listed });
  if (problem !== null) terminal.note(printable(problem));
  const rows = listed.flatMap((entry) =>
    'apps' in entry
      ? entry.apps.map((app) => [
          `${entry.host}/${app.pid}`,
          app.app_id,
          app.runtime_name,
          { text: app.probe_status, show: (text: string) => terminal.paint(STATUS_COLOURS[app.probe_status], text) },
          String(app.object_count),
          app.app_name,
        ])
      : [],
  );
  if (rows.length > 0) {
    const head = ['HOST/PID', 'APP', 'RUNTIME', 'STATUS', 'KEYS', 'NAME'];
    for (const line of table(head, rows, terminal.paint, terminal.width, DISPENSABLE)) terminal.out(line);
  }
  for (const entry of listed)
    if (entry.problem !== null) terminal.note(`${entry.host}: ${printable(entry.problem)}`);
    else if ('apps' in entry && entry.apps.length === 0) terminal.note(`${entry.host}: no app is tracked`);
}

async function appsOf(substrate: CommandContext['substrate'], host: string): Promise<AppsOfHost> {
  try {
    return { apps: await substrate.on(host).apps(inTime(LIST_MS)) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

export async function listApps({ substrate, terminal, json }: CommandContext): Promise<void> {
  const apps = await substrate.apps(inTime(LIST_MS));
  if (json) return terminal.json({ total: apps.length, apps });
  if (apps.length === 0) return terminal.note('No app is tracked. substrate doctor shows what could be.');
  const attachments = new Map((await substrate.attachments(inTime(LIST_MS))).map((found) => [found.pid, found]));
  const rows = apps.map((app) => [
    String(app.pid),
    app.app_id,
    app.runtime_name,
    { text: app.probe_status, show: (text: string) => terminal.paint(STATUS_COLOURS[app.probe_status], text) },
    app.has_state ? app.confidence.toFixed(2) : '-',
    String(app.object_count),
    String(app.action_count),
    placeOf(app, attachments.get(app.pid)),
  ]);
  const head = ['PID', 'APP', 'RUNTIME', 'STATUS', 'CONF', 'KEYS', 'ACTIONS', 'NAME'];
  for (const line of table(head, rows, terminal.paint, terminal.width, DISPENSABLE)) terminal.out(line);
  for (const { pid, confidence, confidence_reason } of apps)
    if (confidence_reason !== null && confidence < POOR)
      terminal.note(`${pid}: confidence ${confidence.toFixed(2)}. ${printable(confidence_reason)}`);
  if (apps.some(({ pid }) => attachments.get(pid)?.by_itself === false))
    terminal.note('What is not attached is attached to when its state is asked for: substrate state <pid>');
}

function placeOf({ app_name, current_url }: AppSummary, attachment: Attachment | undefined): string {
  if (attachment?.by_itself === false) return `${app_name}  (not attached: ${attachment.reason})`;
  return current_url === null ? app_name : `${app_name}  ${current_url}`;
}
