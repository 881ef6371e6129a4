/**
 * A page whose look, language and values change, and over which a dialog opens, keeps the names of its keys and
 * actions.
 */
import { expect } from 'vitest';
import type { Page } from './chromium.ts';
import type { ProbedApp } from './probed-app.ts';

const RESTYLE = `document.documentElement.className += ' dark theme-dark', document.documentElement.dataset.theme = 'dark',
  document.documentElement.lang = 'de', document.body.classList.add('dark-mode')`;
/** Like a person, in fields of forms: a lone field may filter the content. */
const FILL = `for (const field of document.querySelectorAll('form input:not([type]), form input[type=text], form textarea')) {
  if (!field.checkVisibility() || field.readOnly || field.disabled) continue;
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, 'North 7');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}`;
const ASK = `{ const asked = document.createElement('dialog'); asked.id = 'steady-names';
  asked.innerHTML = '<h1>Really?</h1><button>Leave at once</button>'; document.body.append(asked); asked.showModal() }`;
const ANSWER = `document.getElementById('steady-names').remove()`;

export async function expectSteadyNames(app: ProbedApp, page: Page): Promise<void> {
  const names = () => ({ keys: Object.keys(app.state).sort(), actions: [...app.actions.keys()].sort() });
  await app.read();
  const before = names();
  await page.evaluate(`${RESTYLE}; ${FILL}`);
  await app.read();
  // Parts that are read in steps may come a moment later.
  await app.until('the same names', () => String(names().keys) === String(before.keys)).catch(() => null);
  expect(names()).toEqual(before);
  await page.evaluate(ASK);
  await app.until('the dialog', () => app.actions.has('leave_at_once'));
  expect(before.actions.filter((name) => !app.actions.has(name))).toEqual([]);
  await page.evaluate(ANSWER);
  await app.until('the page without it', () => !app.actions.has('leave_at_once'));
  expect(names()).toEqual(before);
}
