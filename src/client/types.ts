/**
 * The daemon's messages: the types of its wire schemas. The package has no schemas; scripts/client-types.mjs writes
 * these types out for it.
 */
import type {
  ActionResponse,
  ActionSchema,
  AppSummary,
  Attachment,
  DiffResponse,
  ErrorBody,
  SubstrateState,
} from '../model/wire.ts';

export type { HostSummary, HostsResponse, PublishedResponse } from '../model/fleet-wire.ts';
export type { ImportResponse, SchemaDocument } from '../model/schema-document.ts';
export type {
  ActionResponse,
  ActionSchema,
  AppContext,
  Approval,
  AppSummary,
  Attachment,
  BrowserResponse,
  ChangedEntry,
  CorrectionInput as Correction,
  DashboardCode,
  DashboardKey,
  DiffResponse,
  ErrorBody,
  HealthResponse,
  HistoryResponse,
  LearnResponse,
  ProbeMetadata,
  SchemaResponse,
  SubstrateState,
  TraceResponse,
  TraceStep,
  VerificationOutcome,
  VerifyResponse,
  WatchMessage,
} from '../model/wire.ts';

export type Scalar = SubstrateState['objects'][string];
/** The kind of an app, as its driver names it. */
export type Runtime = AppSummary['runtime'];
export type ProbeStatus = AppSummary['probe_status'];
/** The way a state was read, as its driver names it. */
export type ProbeTier = SubstrateState['probe_metadata']['probe_tier'];
export type ProbeCost = NonNullable<Attachment['cost']>;
export type Reversibility = ActionSchema['reversibility'];
export type ActionParameter = ActionSchema['parameters'][number];
export type TypeName = ActionParameter['type_name'];
export type PresentEntry = DiffResponse['added'][number];
export type InvocationContext = NonNullable<ActionResponse['invocation_context']>;
export type ErrorCode = ErrorBody['error']['code'];
