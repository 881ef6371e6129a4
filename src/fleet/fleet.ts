/** This daemon as a member of its fleet: joins under its name, answers other daemons, finds and asks them. */
import { type Service as MicroService, Svcm } from '@nats-io/services';
import type { NatsConnection } from '@nats-io/transport-node';
import { uuidv7 } from 'uuidv7';
import { messageOf } from '../model/failure.ts';
import type { FleetPort, PublishedQuery } from '../model/fleet.ts';
import type { HostSummary, HostsResponse, PublishedResponse } from '../model/fleet-wire.ts';
import { KeySelection } from '../model/key-selection.ts';
import type { Logger } from '../model/log.ts';
import type { Message, MessageAnswer, WatchSink } from '../model/message.ts';
import type { Knowledge } from '../model/shared-schema.ts';
import { answerMessage, type OwnEdge } from './answerer.ts';
import { askHost, unreachable, watchHost } from './asker.ts';
import { connectOptions, type FleetSettings } from './connect-options.ts';
import { answerToName, type Found, findDaemons, findNamesakes, type Metadata } from './find.ts';
import { keepHistory, readHistory } from './history.ts';
import { HostMemory } from './host-memory.ts';
import { OPEN_AGAIN_MS } from './jet-stream.ts';
import { Link } from './link.ts';
import { Publisher } from './publisher.ts';
import { type BaseStores, SchemaExchange } from './schema-exchange.ts';
import { SeenRequests } from './seen-requests.ts';
import { hostNameOf, SERVICE, subjectOfHost } from './subjects.ts';

export type { OwnEdge } from './answerer.ts';
export type { FleetSettings } from './connect-options.ts';

export interface FleetParts {
  readonly settings: FleetSettings;
  /** Content of the credentials file; null if none is configured. */
  readonly credentials: Uint8Array | null;
  /** Name of the machine, for a daemon without a configured name. */
  readonly machine: string;
  readonly version: string;
  /** The daemon's own edge. */
  readonly server: OwnEdge;
  /** Schemas to share with the fleet; absent if nothing is shared. */
  readonly schemas?: { knowledgeAs(host: string): Knowledge; readonly bases: BaseStores };
  readonly log: Logger;
}

const NAME_TAKEN_RETRY_MS = 5000;
/** One endpoint serves all requests: the wildcards are the method and the name of a route. */
const ENDPOINT = '*.*';

export class Fleet implements FleetPort {
  readonly host: string;
  private readonly parts: FleetParts;
  private readonly link: Link;
  private readonly self: Metadata;
  private readonly memory = new HostMemory();
  private readonly seen = new SeenRequests();
  /** Null if no key is chosen to be published. */
  readonly publisher: Publisher | null;
  private readonly exchange: SchemaExchange | null;
  private service: MicroService | null = null;
  private stopAnsweringToName: () => void = () => {};
  private nameProblem: string | null = 'This daemon has not joined the fleet yet.';
  /** Attempts to join run one after the other, because the server may come and go. */
  private joining: Promise<void> = Promise.resolve();
  private joinRetry: NodeJS.Timeout | null = null;
  private historyRetry: NodeJS.Timeout | undefined;
  private historyProblem: string | null = null;
  private isClosed = false;

  /** Throws, with a message for people, if the settings contradict each other. */
  constructor(parts: FleetParts) {
    this.parts = parts;
    const { settings, machine, credentials, log } = parts;
    this.host = settings.host ?? hostNameOf(machine);
    this.self = { host: this.host, since: new Date().toISOString(), instance: uuidv7() };
    const chosen = new KeySelection(settings.publish);
    const { host, instance } = this.self;
    this.publisher = chosen.isEmpty
      ? null
      : new Publisher({ host, instance, chosen, connection: () => this.link.connection });
    const { schemas } = parts;
    this.exchange =
      schemas === undefined || !settings.share_schemas
        ? null
        : new SchemaExchange({ knowledge: schemas.knowledgeAs(host), bases: schemas.bases, log });
    this.link = new Link({
      options: connectOptions(settings, credentials),
      log,
      onUp: (connection) => {
        this.joining = this.joining.then(() => this.join(connection));
        void this.exchange?.open(connection);
        void this.publish(connection);
      },
    });
  }

  /** The reason why this daemon is not in the fleet; null if it is. */
  get problem(): string | null {
    return this.link.problem ?? this.nameProblem;
  }

  /** Others find it. */
  get isAnswering(): boolean {
    return this.service !== null && this.problem === null;
  }

  start(): void {
    this.link.start();
    this.publisher?.start();
  }

  /** Leaves the fleet. Requests in progress are still answered. */
  async stopAnswering(): Promise<void> {
    this.isClosed = true;
    if (this.joinRetry !== null) clearTimeout(this.joinRetry);
    clearTimeout(this.historyRetry);
    this.publisher?.close();
    await this.service?.stop();
  }

  async close(): Promise<void> {
    await this.stopAnswering();
    const exchanged = this.exchange?.close();
    await this.link.close();
    await exchanged;
  }

  /** To be called when an app starts here or its schema changes. */
  schemaChanged(appId: string): void {
    this.exchange?.changed(appId);
  }

  async hosts(): Promise<HostsResponse> {
    const { connection } = this.link;
    try {
      const found = connection === null ? [] : await findDaemons(connection);
      const hosts = this.memory.withMissing(summariesOf(found, this.self.instance), Date.now());
      return { host: this.host, problem: this.problem, total: hosts.length, hosts };
    } catch (error) {
      const problem = `The hosts of the fleet cannot be listed: ${messageOf(error)}.`;
      return { host: this.host, problem, total: 0, hosts: [] };
    }
  }

  async ask(host: string, message: Message): Promise<MessageAnswer> {
    return askHost(this.connectionTo(host), host, message);
  }

  async watch(host: string, message: Message, sink: WatchSink) {
    return watchHost(this.connectionTo(host), host, message, sink);
  }

  async published(query: PublishedQuery): Promise<PublishedResponse> {
    return readHistory(this.connectionTo(query.host), query);
  }

  /** Never rejects. */
  private async publish(connection: NatsConnection): Promise<void> {
    const { settings } = this.parts;
    if (this.publisher === null || this.isClosed) return;
    clearTimeout(this.historyRetry);
    try {
      if (settings.history_hours > 0) await keepHistory(connection, settings);
      this.historyProblem = null;
    } catch (error) {
      if (this.historyProblem !== messageOf(error)) this.parts.log.warn({}, messageOf(error));
      this.historyProblem = messageOf(error);
      if (!this.isClosed) this.historyRetry = setTimeout(() => void this.publish(connection), OPEN_AGAIN_MS);
    }
    // Changes while the server was away, or before the history existed, are missing from it.
    this.publisher.republish(Date.now());
  }

  private connectionTo(host: string): NatsConnection {
    const { connection, problem } = this.link;
    if (connection === null) throw unreachable(host, problem ?? '');
    return connection;
  }

  /** Two daemons of one name would both answer, so the one that came first keeps the name. Never rejects. */
  private async join(connection: NatsConnection): Promise<void> {
    if (this.isClosed) return;
    try {
      const rival = await this.rivalIn(connection);
      if (rival !== null) await this.leave(rival);
      else await this.enter(connection);
    } catch (error) {
      this.note(`The fleet cannot be joined: ${messageOf(error)}.`);
    }
    if (this.service === null) this.retryLater();
  }

  private async enter(connection: NatsConnection): Promise<void> {
    if (this.service !== null && !this.service.isStopped) return;
    const { version, server, log } = this.parts;
    const service = await new Svcm(connection).add({
      name: SERVICE,
      version,
      description: 'Serves the state of running apps.',
      metadata: { ...this.self },
    });
    this.service = service;
    this.stopAnsweringToName = answerToName(connection, this.self);
    service.addGroup(subjectOfHost(this.host)).addEndpoint('ask', {
      subject: ENDPOINT,
      handler: (error, message) => {
        if (error === null) void answerMessage({ connection, message, server, seen: this.seen, log });
      },
    });
    void service.stopped.then((error) => {
      if (this.service !== service) return;
      this.service = null;
      if (error !== null && !this.isClosed)
        this.note(`The NATS server does not let this daemon answer: ${messageOf(error)}.`);
    });
    // Another daemon of this name may have joined at the same moment.
    await connection.flush();
    const rival = await this.rivalIn(connection);
    if (rival !== null) await this.leave(rival);
    else if (!service.isStopped) this.nameProblem = null;
  }

  private async leave(rival: Metadata): Promise<void> {
    this.note(
      `Another daemon has been in the fleet as ${this.host} since ${rival.since}: this one does not answer there. Give one of them another name: host in [fleet].`,
    );
    const { service } = this;
    this.service = null;
    this.stopAnsweringToName();
    await service?.stop();
  }

  /** Null if no other daemon has had this name for longer. */
  private async rivalIn(connection: NatsConnection): Promise<Metadata | null> {
    const same = await findNamesakes(connection, this.host);
    const others = same.filter(({ host, instance }) => host === this.host && instance !== this.self.instance);
    return others.find((other) => orderOf(other) < orderOf(this.self)) ?? null;
  }

  private retryLater(): void {
    if (this.isClosed || this.joinRetry !== null) return;
    this.joinRetry = setTimeout(() => {
      this.joinRetry = null;
      const { connection } = this.link;
      if (connection !== null && this.service === null) this.joining = this.joining.then(() => this.join(connection));
    }, NAME_TAKEN_RETRY_MS);
  }

  private note(problem: string): void {
    if (this.nameProblem !== problem) this.parts.log.warn({}, problem);
    this.nameProblem = problem;
  }
}

const orderOf = ({ since, instance }: Metadata) => `${since} ${instance}`;

function summariesOf(found: readonly Found[], own: string): HostSummary[] {
  const named = new Map<string, Found[]>();
  for (const each of found) named.set(each.host, [...(named.get(each.host) ?? []), each]);
  return [...named.values()]
    .flatMap((same) => {
      const [first] = same.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
      if (first === undefined) return [];
      const problem = same.length > 1 ? `${same.length} daemons have this name.` : null;
      return [{ host: first.host, version: first.version, since: first.since, self: first.instance === own, problem }];
    })
    .sort((one, other) => (one.host < other.host ? -1 : 1));
}
