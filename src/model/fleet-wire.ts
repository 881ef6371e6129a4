/** Answers of the routes about a fleet. */
import * as z from 'zod';
import { isoTime, keySeries } from './wire.ts';

export const hostSummary = z.object({
  host: z.string(),
  version: z.string(),
  since: z.string(),
  self: z.boolean(),
  problem: z.string().nullable(),
});
export type HostSummary = z.infer<typeof hostSummary>;

export const hostsResponse = z.object({
  host: z.string().nullable(),
  problem: z.string().nullable(),
  total: z.int().min(0),
  hosts: z.array(hostSummary),
});
export type HostsResponse = z.infer<typeof hostsResponse>;

export const publishedResponse = z.object({
  host: z.string(),
  app_id: z.string(),
  from: isoTime,
  to: isoTime,
  lost: z.int().min(0),
  series: z.array(keySeries.extend({ pid: z.int(), seen_at: z.string() })),
});
export type PublishedResponse = z.infer<typeof publishedResponse>;
