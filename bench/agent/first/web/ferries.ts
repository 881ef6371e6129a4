/** The common part of the apps with the same API description: servers/ferries.cjs. */
import { ask, type Task, type Truth } from '../../app.ts';

/** The ferry in the examples of the description. */
export const isScrapped = async ({ url }: Truth) =>
  (await ask<{ id: number }[]>(`${url}/ferries`)).every(({ id }) => id !== 4);

export const waitForNotice: Task = {
  kind: 'wait',
  words: 'Wait until the description of "Ferries" says "No sailing before noon".',
  event: async ({ url, evaluate }) => {
    await ask(`${url}/notice`, { method: 'POST', body: 'No sailing before noon.' });
    await evaluate('location.reload()');
  },
  check: ({ evaluate }) => evaluate<boolean>(`(${textOf})(document).includes('No sailing before noon')`),
};

/** Includes shadow trees. */
export const textOf = `function textOf(root) {
  return [root.body?.innerText ?? root.textContent, ...[...root.querySelectorAll('*')].flatMap((one) => one.shadowRoot ? textOf(one.shadowRoot) : [])].join(' ');
}`;
