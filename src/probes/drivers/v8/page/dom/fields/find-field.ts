/** One field of a form, by its key, its name or its label. */

import { shorten, toName } from '../../../../../insight/screen/words.ts';
import { type Problem, problem } from '../actions/locator.ts';
import type { Target } from '../actions/page-actions.ts';

export interface FoundField {
  readonly ok: true;
  readonly binding: string;
  readonly field: string;
  readonly isBox: boolean;
  readonly isFile: boolean;
}

const MAX_NAMED = 12;

export function findField(wanted: string, targets: ReadonlyMap<string, Target>): FoundField | Problem {
  const key = wanted.replace(/^forms\./, '');
  const name = toName(wanted);
  const all: string[] = [];
  const found: (FoundField & { readonly path: string })[] = [];
  for (const [binding, target] of targets) {
    if (target.kind === 'fields') {
      const alone = target.fields.find((site) => site.name === name || toName(site.label) === name);
      if (alone) return problem(`it stands alone: use the action ${binding.slice(binding.indexOf('.') + 1)}`);
    }
    if (target.kind !== 'form') continue;
    for (const site of target.form.fields) {
      const path = `${target.form.name}.${site.name}`;
      all.push(path);
      const [isBox, isFile] = [site.kind === 'checkbox', site.kind === 'file'];
      const one = { ok: true, binding, field: site.name, isBox, isFile } as const;
      if (path === key) return one;
      if (site.name === name || toName(site.label) === name) found.push({ ...one, path });
    }
  }
  const [only] = found;
  if (only && found.length === 1) return only;
  const some = (found.length > 0 ? found.map(({ path }) => path) : all).slice(0, MAX_NAMED).join(', ');
  if (found.length > 1) return problem(`several fields are called ${shorten(wanted, 60)}: say which, ${some}`);
  const which = all.length === 0 ? 'there is no form on the screen' : `there are ${some}`;
  return problem(`no form has a field ${shorten(wanted, 60)}: ${which}`);
}
