/**
 * The common configuration: sections, keys, defaults and types. Drivers add theirs; `src/config.ts` reads and merges.
 */
import * as z from 'zod';
import { SELECTED_KEYS } from './key-selection.ts';

const positive = z.int().min(1);

const selectedKeys = z.string().regex(SELECTED_KEYS).describe('an app and keys, such as "coffee*:shop.queue.**"');

/** The name of a daemon in a fleet. It is part of subjects and paths. */
export const HOST_NAME = /^[0-9A-Za-z_-]{1,63}$/;

export const commonSettings = z.strictObject({
  server: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(0).max(65535).default(7842),
      /** Names, besides those of `host`, that the Host header of a request may have. */
      allowed_hosts: z
        .array(
          z
            .string()
            .regex(/^[0-9A-Za-z._-]+$/)
            .describe('a name without a port'),
        )
        .default([]),
    })
    .prefault({}),
  auth: z
    .strictObject({ require_key: z.boolean().default(true), keys_file: z.string().min(1).optional() })
    .prefault({}),
  rate_limit: z
    .strictObject({
      enabled: z.boolean().default(true),
      state_per_second: positive.default(100),
      action_per_second: positive.default(10),
      snapshot_per_minute: positive.default(2),
      bucket_ttl_secs: positive.default(3600),
    })
    .prefault({}),
  scanner: z
    .strictObject({
      interval_ms: z.int().min(50).default(500),
      exclude: z.array(z.union([z.string(), z.int()])).default([]),
      /**
       * The programs that are attached to without being asked: apps, all that can be, or none. `none` also stops the
       * scan.
       */
      attach: z.enum(['apps', 'all', 'asked', 'none']).default('apps'),
      /** As root, also include programs of users other than root and the one who called sudo. */
      other_users: z.boolean().default(false),
      /** As root, also open the inspector of root's programs where other users could reach it. */
      root_inspectors: z.boolean().default(false),
    })
    .prefault({}),
  probe: z
    .strictObject({
      interval_ms: z.int().min(50).default(2000),
      history: z.int().min(2).max(100_000).default(300),
      cold_timeout_ms: z.int().min(1000).default(90_000),
      /** An unknown program is left alone this long: most commands have ended by then. */
      settle_ms: z.int().min(0).default(2000),
      /** Share of the time that the polls of one app may take. Expensive apps are polled less often. */
      budget_poll_percent: z.int().min(1).max(100).default(2),
      /** Limits of the first search for state: CPU time, and its share of the elapsed time. */
      budget_search_ms: z.int().min(10).max(600_000).default(500),
      budget_search_percent: z.int().min(1).max(100).default(5),
      /** Memory that a probe may add to a program: this, or a share of the program's memory, whichever is more. */
      budget_memory_mb: positive.default(16),
      budget_memory_percent: z.int().min(0).max(1000).default(10),
      max_keys: z.int().min(1).max(1_000_000).default(20_000),
    })
    .prefault({}),
  /** Keys whose values are shown even where they look like secrets. */
  redact: z.strictObject({ allow: z.array(z.string().min(1)).default([]) }).prefault({}),
  action: z.strictObject({ verify_expression_max_bytes: positive.max(16_384).default(2048) }).prefault({}),
  /** For the MCP tool `open_browser`. */
  browser: z
    .strictObject({
      /** Commands or files; the first that exists is used. If empty, no browser is opened. */
      programs: z
        .array(z.string().min(1))
        .default(['chromium', 'chromium-browser', 'google-chrome', 'microsoft-edge', 'brave-browser', 'vivaldi']),
      args: z.array(z.string().regex(/^-/).describe('an option, such as --no-sandbox')).default([]),
    })
    .prefault({}),
  /** Other daemons, reached over NATS. Without a server there is no fleet. */
  fleet: z
    .strictObject({
      servers: z
        .array(
          z
            .string()
            .regex(/^(?:(?:nats|tls):\/\/)?(?:[0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/)
            .describe(
              'an address such as nats://127.0.0.1:4222 or tls://nats.example.org, without a user and a password',
            ),
        )
        .default([]),
      /** A creds file or the seed of an nkey. */
      credentials: z.string().min(1).optional(),
      ca_file: z.string().min(1).optional(),
      cert_file: z.string().min(1).optional(),
      key_file: z.string().min(1).optional(),
      /** Allow other hosts without TLS, where everybody on the way can read keys and states. */
      plain_text: z.boolean().default(false),
      host: z.string().regex(HOST_NAME).describe('a name of letters, digits, - and _, at most 63').optional(),
      /** Changes of these keys are published. */
      publish: z.array(selectedKeys).default([]),
      /** Names and types of apps are those of all hosts, where the server has JetStream. */
      share_schemas: z.boolean().default(true),
      /** How long the server keeps what is published, where it has JetStream. 0: it does not. */
      history_hours: z.int().min(0).max(8760).default(24),
      history_mb: z.int().min(1).max(1_000_000).default(256),
    })
    .prefault({}),
  /** Numeric keys of apps that `/metrics` includes. */
  metrics: z.strictObject({ keys: z.array(selectedKeys).default([]) }).prefault({}),
  mcp: z
    .strictObject({
      /** `substrate mcp` starts a daemon if none answers. */
      start_daemon: z.boolean().default(true),
      /** The daemon that it started exits when no client has sent a request for this long. */
      idle_exit_secs: z.int().min(2).max(86_400).default(60),
    })
    .prefault({}),
  storage: z.strictObject({ dir: z.string().min(1).optional() }).prefault({}),
  log: z
    .strictObject({
      level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
      format: z.enum(['json', 'pretty']).default('json'),
    })
    .prefault({}),
});

export type Config = z.infer<typeof commonSettings>;
