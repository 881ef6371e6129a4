import { parsePath } from '../../model/path.ts';
import type { AppContext } from '../../model/wire.ts';
import type { Run } from './run.ts';
import { StateObject, type Value } from './value.ts';

/** A record, so that a field added to the context does not compile until it is listed. */
const CONTEXT_FIELDS: Record<keyof AppContext, true> = {
  url: true,
  location: true,
  view: true,
  window_title: true,
  window_id: true,
};
const contextFields = Object.keys(CONTEXT_FIELDS);

export function isContextField(name: string): name is keyof AppContext {
  return contextFields.includes(name);
}

export const contextPaths: readonly string[] = contextFields.map((name) => `context.${name}`);

/** `state`: every key by its exact name, and the tree of the keys. */
class StateRoot extends StateObject {
  override readonly path = 'state';

  override read(run: Run, name: string): Value {
    const exact = run.view.get(name);
    if (exact !== undefined) {
      run.noteRead(name, exact);
      return exact;
    }
    const value = this.branch(run, name)?.value(run);
    if (value === undefined) run.noteMissing(name);
    return value;
  }

  override has(run: Run, name: string): boolean {
    return run.view.get(name) !== undefined || this.branch(run, name) !== undefined;
  }

  override names(run: Run): readonly string[] {
    run.produceElements(run.index.keys.length);
    return run.index.keys;
  }

  private branch(run: Run, name: string) {
    run.spendOnText(name.length);
    const { root } = run.index;
    let branch: typeof root | undefined = root;
    for (const segment of parsePath(name) ?? [name]) branch = branch?.child(String(segment));
    // An app may have keys that themselves start with `state.`.
    return branch ?? root.child('state')?.child(name);
  }
}

/** `context`: its own fields first, then the app's keys that start with `context.`. */
class ContextObject extends StateObject {
  override readonly path = 'context';

  override read(run: Run, name: string): Value {
    if (!isContextField(name)) {
      const branch = run.index.root.child('context');
      if (branch !== undefined) return branch.read(run, name);
      run.noteMissing(`context.${name}`);
      return undefined;
    }
    const value = run.view.context[name];
    run.noteRead(`context.${name}`, value);
    return value;
  }

  override has(run: Run, name: string): boolean {
    return isContextField(name) || run.index.root.child('context')?.child(name) !== undefined;
  }

  override names(): readonly string[] {
    return contextFields;
  }
}

export const stateRoot = new StateRoot();
export const contextObject = new ContextObject();
