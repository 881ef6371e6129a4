/** States like those of real apps, for a model to read. */
import { pathPattern } from '../../../src/model/path.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { KeyList, type StateLook } from '../../../src/model/state-look.ts';
import { STATE } from '../http/fake-service.ts';

/** The result of steps, without a pause. */
export function finished<Result>(steps: Iterator<void, Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** The maximal number of reads of the state between two steps. */
export function longestStep(look: StateLook, steps: (look: StateLook) => Iterator<void, unknown>): number {
  let [touched, longest] = [0, 0];
  const counting = <Given extends unknown[], Result>(ask: (...given: Given) => Result) => {
    return (...given: Given) => {
      touched++;
      return ask(...given);
    };
  };
  const { get, isShown, salience } = look;
  const watched = { ...look, get: counting(get), isShown: counting(isShown), salience: counting(salience) };
  for (const work = steps(watched); ; touched = 0) {
    const { done } = work.next();
    longest = Math.max(longest, touched);
    if (done) return longest;
  }
}

type Objects = Record<string, Scalar>;
/** The salience of a key. Below 0.15 it is noise. */
type Weigh = (key: string) => number;

export function lookAtObjects(objects: Objects, weigh: Weigh = () => 0.5, context: object = {}): StateLook {
  const { objects: _, actions: __, ...facts } = STATE;
  const keys = new KeyList();
  for (const key of Object.keys(objects)) keys.add(key, pathPattern(key));
  return {
    facts: { ...facts, context: { ...facts.context, ...context } },
    keys,
    get: (key) => (Object.hasOwn(objects, key) ? objects[key] : undefined),
    isShown: (key) => weigh(key) >= 0.15,
    isScreen: (root) => root === 'window' || root === 'dialog',
    salience: weigh,
    hasAction: () => false,
    actionTexts: () => [],
    closedActions: () => [],
  };
}

/** About 3,000 keys: a list of mails in the store, the screen, settings and translations. */
export function mailApp(): StateLook {
  const objects: Objects = {};
  for (let at = 0; at < 900; at++) objects[`i18n.resources.en["message_${at}"]`] = `Text number ${at}`;
  for (let at = 0; at < 20; at++) objects[`unknown_0x${(at + 4096).toString(16).padStart(8, '0')}`] = at;
  for (let at = 0; at < 400; at++) {
    objects[`inbox.emails[${at}].id`] = `m${at}`;
    objects[`inbox.emails[${at}].subject`] = `Invoice ${at} for your order of last week`;
    objects[`inbox.emails[${at}].from`] = `sender${at}@example.org`;
    objects[`inbox.emails[${at}].unread`] = at < 7;
    objects[`inbox.emails[${at}].body`] = 'Dear customer, '.repeat(40);
  }
  Object.assign(objects, {
    'inbox.emails.length': 400,
    'inbox.unread': 7,
    'inbox.selected': null,
    'account.name': 'Ada Lovelace',
    'account.address': 'ada@example.org',
    'settings.theme': 'dark',
    'settings.signature': 'Best regards, Ada',
    'headings[0]': 'Inbox',
    'headings[1]': 'Folders',
    'folders[0].name': 'Inbox',
    'folders[0].count': 400,
    'folders[1].name': 'Drafts',
    'folders[1].count': 2,
    'fields.search': '',
  });
  const look = lookAtObjects(
    objects,
    (key) => {
      if (/^(?:i18n|unknown_0x)/.test(key)) return 0.02;
      if (/^(?:headings|fields|folders)/.test(key)) return 0.95;
      if (key.endsWith('.body')) return 0.5;
      return /^inbox/.test(key) ? 0.85 : 0.6;
    },
    { url: 'https://mail.example.org/inbox', window_title: 'Inbox (7)' },
  );
  return { ...look, isScreen: (root) => root === 'headings' || root === 'fields' };
}

/** A page whose bundler left its module cache accessible: 4,000 of 4,060 keys. */
export function bundledPage(): StateLook {
  const objects: Objects = {};
  for (let at = 0; at < 1300; at++) {
    objects[`["${at * 7 + 10_000}"].id`] = `./node_modules/entities/lib/${at}.js`;
    objects[`["${at * 7 + 10_000}"].loaded`] = true;
    objects[`["${at * 7 + 10_000}"].exports.default["226"]`] = '&acirc;';
  }
  for (let at = 0; at < 50; at++) objects[`domain.objects["mine/${at}"].name`] = `Telemetry point ${at}`;
  objects['headings[0]'] = 'Thermal Board';
  objects['clock.utc'] = '2026-11-16 09:00:12';
  objects['tree.selected'] = 'mine/7';
  return lookAtObjects(objects, (key) => (key.startsWith('["') ? 0.05 : key.startsWith('headings') ? 0.95 : 0.6), {
    url: 'http://127.0.0.1:8080/#/browse/mine',
  });
}

/** A table of 500 rows and little else. */
export function tableApp(): StateLook {
  const objects: Objects = { title: 'Orders', 'rows.length': 500 };
  for (let at = 0; at < 500; at++) {
    objects[`rows[${at}].id`] = 10_000 + at;
    objects[`rows[${at}].customer`] = `Customer ${at}`;
    objects[`rows[${at}].total`] = at * 3.5;
    objects[`rows[${at}].status`] = at % 3 === 0 ? 'open' : 'paid';
  }
  return lookAtObjects(objects, () => 0.7);
}
