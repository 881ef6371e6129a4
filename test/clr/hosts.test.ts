/** The host of a program: its addresses and routes. */
import { afterEach, describe, expect, it } from 'vitest';
import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { type Clr, here, startDotnet } from '../support/dotnet.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createClrDriver(clr.settings.parse({}));
const cwd = import.meta.dirname;

afterEach(endAll);

describe.each(here<Clr>('net9', 'net31'))('a web server on %s', (clr) => {
  it('tells what it is, where it listens and what it answers to', async () => {
    const target = await startDotnet(clr, 'web', { ready: /ready/, cwd });
    const app = await ProbedApp.attach(driver, target.info);
    const state = await app.until('its host', (now) => 'host.urls[0]' in now);
    expect(state).toMatchObject({
      'host.application': 'Web',
      'host.environment': 'Production',
      'host.content_root': cwd,
      'host.started': true,
      'host.stopping': false,
      'host.urls.length': 1,
      'host.hosted_services.length': 2,
      'host.hosted_services[0]': 'Ticker',
      'host.hosted_services[1]': 'GenericWebHostService',
      'host.routes.length': 3,
      'host.routes[0].pattern': '/cart/{sku}',
      'host.routes[0].methods': 'GET',
      'host.routes[1].pattern': '/cart',
      'host.routes[1].methods': 'POST, PUT',
      'host.routes[2].pattern': '/health',
      'host.routes[2].methods': 'any',
      'cartService.Currency': 'EUR',
      'ticker.Ticks': expect.any(Number),
    });
    expect(Object.keys(state).filter((key) => key.startsWith('host_'))).toEqual([]);
    const health = await fetch(`${state['host.urls[0]']}/health`);
    expect(await health.text()).toBe('well');
    // After use they are the same.
    const later = await app.read('deep');
    expect(later).toMatchObject({ 'host.routes.length': 3, 'host.routes[1].methods': 'POST, PUT' });
    await app.probe.detach();
  });
});

describe.each(here<Clr>('net9', 'net31'))('two hosts in one program on %s', (clr) => {
  it('are told apart, each as long as it runs', async () => {
    const target = await startDotnet(clr, 'hosts', { ready: /ready/, cwd });
    const app = await ProbedApp.attach(driver, target.info);
    const both = await app.until('both hosts', (now) => 'host.application' in now && 'host_2.application' in now);
    const [plain, web] = both['host.environment'] === 'Staging' ? ['host', 'host_2'] : ['host_2', 'host'];
    expect(both).toMatchObject({
      [`${plain}.application`]: 'Hosts',
      [`${plain}.environment`]: 'Staging',
      [`${plain}.started`]: true,
      [`${plain}.hosted_services[0]`]: 'Lodger',
      [`${web}.environment`]: 'Production',
      [`${web}.urls[0]`]: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/),
      [`${web}.hosted_services.length`]: 0,
      [`${web}.routes[0].pattern`]: '/floors/0',
      [`${web}.routes.length`]: 200,
      [`${web}.route_count`]: 250,
      'lodger.IsIn': true,
      'motto.Text': 'two under one roof',
    });
    expect(Object.keys(both).filter((key) => /urls|routes/.test(key) && key.startsWith(`${plain}.`))).toEqual([]);

    // The server finds its controllers with the first request.
    const room = await fetch(`${both[`${web}.urls[0]`]}/rooms/3`);
    expect(await room.text()).toBe('room 3');
    expect(await app.until('the controllers', (now) => now[`${web}.route_count`] === 252)).toMatchObject({
      [`${web}.routes[0].pattern`]: 'rooms/{number:int}',
      [`${web}.routes[0].methods`]: 'GET',
      [`${web}.routes[1].methods`]: 'DELETE',
      [`${web}.routes[2].pattern`]: '/floors/0',
    });

    target.write('q');
    const one = await app.until('the end of the first', (now) => !(`${plain}.application` in now));
    expect(one).toHaveProperty([`${web}.application`], 'Hosts');
    await app.probe.detach();
    target.write('q');
    expect(await target.exited).toBe(0);
  });
});

describe.each(here<Clr>('net9', 'net31', 'mono'))('a program without a host on %s', (clr) => {
  it('shows none', async () => {
    const target = await startDotnet(clr, 'shop');
    const app = await ProbedApp.attach(driver, target.info);
    const keys = Object.keys(await app.read());
    expect(keys).not.toEqual([]);
    expect(keys.filter((key) => /^host(_\d+)?\./.test(key))).toEqual([]);
    await app.probe.detach();
  });
});
