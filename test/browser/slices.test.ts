import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateAgentExpression } from '../../src/probes/drivers/v8/page/state/expression.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { endAll } from '../support/real-processes.ts';

const MANY = 4000;
/** The limit of operations without checking the clock. */
const AT_ONCE = 64;

/** Each check of the clock finds that the time is up. */
const AGENT = stateAgentExpression({
  maxKeys: 20_000,
  sliceMs: -1,
  budgetMs: 60_000,
  rootPrefix: 'site',
  labelPrefix: '',
});

/** Calls until the report is complete, and checks objects like the daemon. */
const REPORT = `const look = () => { do agent.suspects(); while (agent.markProxies([])); };
const ask = () => {
  let slices = 0;
  look();
  for (let answer = JSON.parse(agent.poll(true)); answer.more; answer = JSON.parse(agent.poll(true))) {
    slices++;
    if (answer.suspects) look();
  }
  return slices;
};`;

describe('what the state agent does in a page', () => {
  let chromium: Chromium;
  let page: Page;
  beforeAll(async () => {
    chromium = await startChromium();
    page = await openPage(chromium, `data:text/html,${encodeURIComponent('<title>Plain</title><p>Plain')}`);
  });
  afterAll(endAll);

  const inPage = (work: string) => page.evaluate<number>(`(() => { const agent = ${AGENT}; ${REPORT} ${work} })()`);

  it('is cut while it judges the variables of a bundle', async () => {
    const slices = await inPage(`
      const before = ask();
      const variables = {};
      for (let at = 0; at < ${MANY}; at++) variables['table' + at] = { ids: [at], label: 'row ' + at };
      agent.addScopes('the click handler', [{ description: 'Closure', object: variables }]);
      return ask() - before;`);
    expect(slices).toBeGreaterThan(MANY / AT_ONCE);
  });

  it('is cut while it looks at what objects hold that were cleared', async () => {
    const rounds = await inPage(`
      const variables = {};
      for (let at = 0; at < 1000; at++) variables['list' + at] = [{ id: at }];
      agent.addScopes('the click handler', [{ description: 'Closure', object: variables }]);
      let rounds = 0;
      for (let isWaiting = true; isWaiting; rounds++) { agent.suspects(); isWaiting = agent.markProxies([]); }
      return rounds;`);
    expect(rounds).toBeGreaterThan(1000 / AT_ONCE);
  });

  it('is cut while it compares what it knows already', async () => {
    const slices = await inPage(`
      for (let at = 0; at < 300; at++) window['berth' + at] = { at, ferry: { name: 'ferry ' + at } };
      ask(); ask(); ask();
      return ask();`);
    expect(slices).toBeGreaterThan(300);
  });

  it('is cut while it collects what can be called', async () => {
    const slices = await inPage(`
      class Ferry { constructor(at) { this.at = at; } sail() { return this.at; } }
      window.fleet = { boats: [] };
      ask();
      const none = ask();
      for (let at = 0; at < 3000; at++) window.fleet.boats.push(new Ferry(at));
      ask();
      return ask() - none;`);
    expect(slices).toBeGreaterThan(3000 / AT_ONCE);
  });
});
