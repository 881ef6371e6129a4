/**
 * Facts that an agent cannot find by itself: which objects are Proxies, and which variables scripts declared at the top
 * level.
 */
import * as z from 'zod';
import type { PageAgent } from './page-agent.ts';

const names = z.object({ names: z.array(z.string()) });
const properties = z.object({
  result: z.array(z.object({ name: z.string(), value: z.object({ subtype: z.string().optional() }).optional() })),
});
const evaluated = z.object({ result: z.object({ objectId: z.string().optional() }) });

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const MAX_NAMES = 500;
/** A variable of ours that no page has. */
const HOLDER = 'substrateLexicals';
const MAX_ROUNDS = 12;

/** Only the inspector can distinguish a Proxy from a plain object; its traps must not run. */
export async function showProxies(agent: PageAgent): Promise<void> {
  const objectGroup = agent.groupOf('suspects');
  // The objects that one round clears lead to those of the next.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const objectId = await agent.callForObject('suspects', objectGroup);
    if (objectId === null) return;
    const { result } = properties.parse(
      await agent.send('Runtime.getProperties', { objectId, ownProperties: true, generatePreview: false }),
    );
    const suspects = result.filter(({ name }) => /^\d+$/.test(name));
    const proxies = suspects.filter(({ value }) => value?.subtype === 'proxy').map(({ name }) => Number(name));
    const hasMore = (await agent.call('markProxies', { value: proxies })) === true;
    // Nobody waits for the release.
    agent.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => undefined);
    if (!hasMore) return;
  }
}

/**
 * `let` and `const` at the top level of a script are no properties of `window`; a function that names them reads them.
 */
export async function showLexicals(agent: PageAgent, contextId: number | null): Promise<void> {
  const context = contextId === null ? {} : { executionContextId: contextId };
  const found = names.parse(await agent.send('Runtime.globalLexicalScopeNames', context));
  const usable = found.names.filter((name) => IDENTIFIER.test(name)).slice(0, MAX_NAMES);
  if (usable.length === 0) return;
  // Reading a variable that is declared but not yet set throws.
  const reads = usable.map((name) => `try{${HOLDER}[${JSON.stringify(name)}]=${name}}catch{}`).join('');
  const { result } = evaluated.parse(
    await agent.send('Runtime.evaluate', {
      expression: `(()=>{const ${HOLDER}={__proto__:null};${reads}return ${HOLDER}})`,
      silent: true,
      ...(contextId === null ? {} : { contextId }),
    }),
  );
  if (result.objectId === undefined) return;
  await agent.call('setLexicals', { objectId: result.objectId });
  await agent.send('Runtime.releaseObject', { objectId: result.objectId });
}
