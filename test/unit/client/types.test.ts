/** The client's types are written by hand, for people to read; they must say what the daemon's schemas say. */
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type * as client from '../../../src/client/types.ts';
import { ERROR_STATUS } from '../../../src/model/errors.ts';
import type * as document from '../../../src/model/schema-document.ts';
import type * as wire from '../../../src/model/wire.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Intersections written out, so that the same types also look the same. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type IsSame<One, Other> = Same<Plain<One>, Plain<Other>>;

/** Does not compile where a type differs. */
const same: {
  health: IsSame<client.HealthResponse, wire.HealthResponse>;
  summary: IsSame<client.AppSummary, wire.AppSummary>;
  context: IsSame<client.AppContext, wire.AppContext>;
  action: IsSame<client.ActionSchema, wire.ActionSchema>;
  metadata: IsSame<client.ProbeMetadata, wire.ProbeMetadata>;
  state: IsSame<client.SubstrateState, wire.SubstrateState>;
  schema: IsSame<client.SchemaResponse, wire.SchemaResponse>;
  diff: IsSame<client.DiffResponse, wire.DiffResponse>;
  outcome: IsSame<client.VerificationOutcome, wire.VerificationOutcome>;
  verify: IsSame<client.VerifyResponse, wire.VerifyResponse>;
  response: IsSame<client.ActionResponse, wire.ActionResponse>;
  correction: IsSame<client.Correction, z.input<typeof wire.learnRequest>['corrections'][number]>;
  learn: IsSame<client.LearnResponse, wire.LearnResponse>;
  document: IsSame<client.SchemaDocument, document.SchemaDocument>;
  import: IsSame<client.ImportResponse, document.ImportResponse>;
  message: IsSame<client.WatchMessage, wire.WatchMessage>;
  error: IsSame<client.ErrorBody['error'], wire.ErrorBody['error']>;
  status: IsSame<client.ProbeStatus, wire.ProbeStatus>;
  tier: IsSame<client.ProbeTier, wire.ProbeTier>;
  reversibility: IsSame<client.Reversibility, wire.Reversibility>;
} = {
  health: true,
  summary: true,
  context: true,
  action: true,
  metadata: true,
  state: true,
  schema: true,
  diff: true,
  outcome: true,
  verify: true,
  response: true,
  correction: true,
  learn: true,
  document: true,
  import: true,
  message: true,
  error: true,
  status: true,
  tier: true,
  reversibility: true,
};

describe('the types of the client', () => {
  it('are those of the daemon', () => {
    expect(Object.values(same)).not.toContain(false);
    // One more place where a code could be forgotten: the union above is compared with this table.
    const codes: Record<client.ErrorCode, number> = ERROR_STATUS;
    expect(Object.keys(codes).length).toBeGreaterThan(20);
  });
});
