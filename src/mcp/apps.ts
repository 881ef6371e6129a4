/** What the tools ask: the daemon, and for a state a look at it, of which only what is told has to be touched. */
import type { App, Substrate } from '../client/index.ts';
import { pathPattern } from '../model/path.ts';
import { KeyList, type StateLook } from '../model/state-look.ts';

export interface Apps {
  readonly substrate: Substrate;
  look(app: App, options: { readonly fresh: boolean; readonly signal: AbortSignal }): Promise<StateLook>;
}

/** Of a daemon in another process: the whole state has to come over. */
export function remoteApps(substrate: Substrate): Apps {
  return {
    substrate,
    async look(app, options) {
      const { objects, actions, ...facts } = await substrate.state(app, options);
      const keys = new KeyList();
      for (const key of Object.keys(objects)) keys.add(key, pathPattern(key));
      // What matters most comes first; how much exactly is not told.
      const places = new Map(keys.keys.map((key, at) => [key, 1 - at / keys.keys.length]));
      return {
        facts,
        keys,
        get: (key) => (Object.hasOwn(objects, key) ? objects[key] : undefined),
        isShown: (key) => places.has(key),
        salience: (key) => places.get(key) ?? 0,
        hasAction: (name) => Object.hasOwn(actions, name),
      };
    },
  };
}
