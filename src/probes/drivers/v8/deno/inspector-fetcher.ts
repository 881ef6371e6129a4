/** Queries Deno's inspector for the agent inside: scopes of functions, private fields, all functions. */
import * as z from 'zod';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { isMinified } from '../node/agent/reflector.ts';
import type { Field, Finding } from './agent/deno-protocol.ts';

const TEMPORARY = 'substrate-temporary';
const CALL_TIMEOUT_MS = 10_000;
/** The size of a batch; between two batches the app gets its turns. */
const BATCH = 200;
/** About as many as can be checked in a few milliseconds. */
const FUNCTIONS_AT_ONCE = 500;
/** The limit for the text of all scripts of an app; the rest is left out. */
const MAX_SOURCE_LENGTH = 8 * 1024 * 1024;
const MAX_SCRIPTS = 50_000;

const remoteObject = z.object({
  type: z.string(),
  objectId: z.string().optional(),
  value: z.unknown().optional(),
  unserializableValue: z.string().optional(),
});
const called = z.object({ result: remoteObject });
const location = z.object({ scriptId: z.string(), lineNumber: z.number(), columnNumber: z.number() });
const property = z.object({ name: z.string(), value: remoteObject.optional() });
const properties = z.object({
  result: z.array(property),
  internalProperties: z.array(property).optional(),
  privateProperties: z.array(property).optional(),
});
const script = z.object({ scriptId: z.string(), url: z.string(), length: z.number().catch(0), endLine: z.number() });
const source = z.object({ scriptSource: z.string() });
const queried = z.object({ objects: z.object({ objectId: z.string() }) });
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

type Properties = z.infer<typeof properties>;
type RemoteObject = z.infer<typeof remoteObject>;

export class InspectorFetcher {
  private readonly session: CdpSession;
  private readonly agentId: string;
  private readonly scripts = new Map<string, { url: string; minified: boolean }>();

  constructor(session: CdpSession, agentId: string) {
    this.session = session;
    this.agentId = agentId;
    session.on('Debugger.scriptParsed', (params) => {
      const { data } = script.safeParse(params);
      if (data && this.scripts.size < MAX_SCRIPTS)
        this.scripts.set(data.scriptId, { url: data.url, minified: isMinified(data.length, data.endLine) });
    });
  }

  /** One round: the agent decides whether another is needed. */
  async fetchWanted(): Promise<void> {
    try {
      const { objectId } = await this.callAgent('function(limit){return this.takeWanted(limit)}', [{ value: BATCH }]);
      const values = objectId === undefined ? [] : await this.elements(objectId);
      const seen: Properties[] = [];
      // One after the other: the next request acknowledges the last answer, for which Deno would wait.
      for (const id of values) seen.push(await this.propertiesOf(id));
      const objects: string[] = [];
      const take = (id: string) => objects.push(id) - 1;
      await this.learnScripts(seen);
      const findings = seen.map((found) => this.findingOf(found, take));
      await this.callAgent('function(findings,...objects){this.deliver(findings,objects)}', [
        { value: JSON.stringify(findings) },
        ...objects.map((id) => ({ objectId: id })),
      ]);
    } finally {
      await this.release();
    }
  }

  /** Runs the garbage collector twice. */
  async fetchFunctions(): Promise<void> {
    try {
      const { result } = called.parse(
        await this.send('Runtime.evaluate', { expression: 'Function.prototype', objectGroup: TEMPORARY }),
      );
      const { objects } = queried.parse(
        await this.send('Runtime.queryObjects', { prototypeObjectId: result.objectId, objectGroup: TEMPORARY }),
      );
      const sources = await this.callAgent('function(sources){return sources}', [{ value: await this.appSources() }]);
      const take = 'function(list,from,to,sources){return this.takeFunctions(list,from,to,sources)}';
      for (let from = 0, done = false; !done; from += FUNCTIONS_AT_ONCE) {
        const answer = await this.callAgent(take, [
          { objectId: objects.objectId },
          { value: from },
          { value: from + FUNCTIONS_AT_ONCE },
          { objectId: sources.objectId },
        ]);
        done = answer.value !== false;
      }
    } finally {
      await this.release();
    }
  }

  private findingOf(found: Properties, take: (id: string) => number): Finding {
    const scopes = internalOf(found, '[[Scopes]]')?.objectId;
    const place = placeOf(found);
    if (place && scopes !== undefined) {
      const { url, minified } = this.scripts.get(place.scriptId) ?? { url: '', minified: false };
      const { scriptId, lineNumber: line, columnNumber: column } = place;
      return { kind: 'function', scriptId, url, minified, line, column, at: take(scopes) };
    }
    const fields = found.privateProperties?.flatMap(({ name, value }) =>
      value && value.type !== 'function' ? [fieldOf(name.replace(/^#/, ''), value, take)] : [],
    );
    return fields ? { kind: 'fields', fields } : null;
  }

  private async appSources(): Promise<string[]> {
    const texts: string[] = [];
    await this.debugging(async () => {
      let length = 0;
      for (const [scriptId, { url }] of this.scripts) {
        if (!isAppScript(url)) continue;
        const { scriptSource } = source.parse(await this.send('Debugger.getScriptSource', { scriptId }));
        length += scriptSource.length;
        if (length > MAX_SOURCE_LENGTH) return;
        texts.push(scriptSource);
      }
    });
    return texts;
  }

  /** Enabling announces every script once; meanwhile nothing may stop at a `debugger` statement. */
  private async debugging(work: () => Promise<void>): Promise<void> {
    await this.send('Debugger.setSkipAllPauses', { skip: true });
    try {
      await this.send('Debugger.enable', {});
      await work();
    } finally {
      await this.send('Debugger.disable', {});
    }
  }

  private async learnScripts(seen: readonly Properties[]): Promise<void> {
    const ids = new Set(seen.flatMap((found) => placeOf(found)?.scriptId ?? []));
    const unknown = [...ids].filter((id) => !this.scripts.has(id));
    if (unknown.length === 0) return;
    await this.debugging(async () => undefined);
    // A script that is not announced is gone: it is not requested again.
    for (const id of unknown) if (!this.scripts.has(id)) this.scripts.set(id, { url: '', minified: false });
  }

  private async elements(arrayId: string): Promise<string[]> {
    const { result } = await this.propertiesOf(arrayId);
    return result.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId ? [value.objectId] : []));
  }

  private async propertiesOf(objectId: string): Promise<Properties> {
    return properties.parse(await this.send('Runtime.getProperties', { objectId, ownProperties: true }));
  }

  private async callAgent(functionDeclaration: string, args: readonly object[]): Promise<RemoteObject> {
    const params = { objectId: this.agentId, functionDeclaration, arguments: args, objectGroup: TEMPORARY };
    return called.parse(await this.send('Runtime.callFunctionOn', params)).result;
  }

  private async release(): Promise<void> {
    // The trace has the failed call. The objects go with the connection.
    await this.send('Runtime.releaseObjectGroup', { objectGroup: TEMPORARY }).catch(() => undefined);
  }

  private send(method: string, params: object) {
    return this.session.send(method, params, CALL_TIMEOUT_MS);
  }
}

function internalOf({ internalProperties }: Properties, name: string): RemoteObject | undefined {
  return internalProperties?.find((entry) => entry.name === name)?.value;
}

function placeOf(found: Properties): z.infer<typeof location> | undefined {
  return location.safeParse(internalOf(found, '[[FunctionLocation]]')?.value).data;
}

function fieldOf(name: string, value: RemoteObject, take: (id: string) => number): Field {
  if (value.objectId !== undefined) return { name, at: take(value.objectId) };
  if (value.unserializableValue !== undefined) return { name, special: value.unserializableValue };
  const { data } = scalar.safeParse(value.value);
  return data === undefined ? { name, special: 'undefined' } : { name, value: data };
}

/** True for a file that is not part of a package. */
function isAppScript(url: string): boolean {
  return url !== '' && !/^(?:ext|node|internal|checkin):|\/node_modules\/|\/npm\/registry\.npmjs\.org\//.test(url);
}
