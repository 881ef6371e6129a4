/** The changes of `substrate run` for .NET programs. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { installHook, withHook } from '../../src/probes/drivers/clr/coreclr/startup-hook.ts';
import { makeFolder, makeProgram, plan, removeFolders } from '../support/launch-plan.ts';

afterEach(removeFolders);

describe('.NET programs', () => {
  const framework = (version: string, more = {}) =>
    JSON.stringify({ runtimeOptions: { framework: { name: 'Microsoft.NETCore.App', version }, ...more } });

  function app(settings: string): { host: string; dll: string } {
    const folder = makeFolder();
    makeProgram(folder, 'Shop.runtimeconfig.json', settings);
    return { dll: makeProgram(folder, 'Shop.dll', 'MZ'), host: makeProgram(folder, 'Shop') };
  }
  const dotnet = () => makeProgram(makeFolder(), 'dotnet');

  it.each(['3.1.0', '5.0.17', '6.0.1', '7.0.0'])('on version %s get a hook, behind those that are there', (version) => {
    const { host, dll } = app(framework(version));
    for (const started of [plan(host), plan(dotnet(), ['exec', dll, '--x'])]) {
      const hook = started.env.DOTNET_STARTUP_HOOKS ?? '';
      expect(path.dirname(hook)).toBe(path.join(started.storageDir, 'hooks'));
      expect(fs.statSync(hook).mode & 0o777).toBe(0o600);
    }
    const { env } = plan(host, [], { DOTNET_STARTUP_HOOKS: '/theirs.dll' });
    expect(env.DOTNET_STARTUP_HOOKS).toMatch(/^\/theirs\.dll:\/.*SubstrateClr_\w+\.dll$/);
  });

  it('on version 8 and later need nothing, unless their diagnostics are off', () => {
    const { host } = app(framework('8.0.1'));
    expect(plan(host).env).toEqual({});
    expect(plan(host).summary).toBe('.NET 8 needs nothing');
    expect(plan(host, [], { DOTNET_EnableDiagnostics: '0' }).env.DOTNET_STARTUP_HOOKS).toContain('SubstrateClr_');
  });

  it('that have no hooks are left alone', () => {
    const settings = { configProperties: { 'System.StartupHookProvider.IsSupported': false } };
    expect(plan(app(framework('6.0.0', settings)).host).env).toEqual({});
    expect(plan(app(framework('2.1.0')).host).env).toEqual({});
  });

  it('that nobody knows yet are left alone: the tools of the SDK would load the hook, too', () => {
    expect(plan(dotnet(), ['run']).args).toEqual(['run']);
    expect(plan(dotnet(), ['run']).env).toEqual({});
    expect(plan(dotnet(), ['missing.dll']).env).toEqual({});
  });

  it('get none where its path could not be named: they would not start', () => {
    const folder = path.join(makeFolder(), 'a:b');
    expect(installHook(folder)).toBeNull();
    expect(fs.existsSync(folder)).toBe(false);
  });

  it('are told of it once', () => {
    expect(withHook(undefined, '/h.dll')).toBe('/h.dll');
    expect(withHook('', '/h.dll')).toBe('/h.dll');
    expect(withHook('/a.dll:/h.dll', '/h.dll')).toBe('/a.dll:/h.dll');
  });
});
