import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { compileCSharp } from '../../scripts/csharp-targets.mjs';
import { createHost } from '../../src/host/host.ts';
import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { commandOf, isHere, startDotnet } from '../support/dotnet.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';

afterEach(endAll);

describe('real programs', () => {
  const { inspector } = createHost();
  const driver = createClrDriver(clr.settings.parse({}));
  const shop = `${compileCSharp('shop')}`;
  // For a clone in the temporary folder only the last name counts.
  const identityOf = (file: string) => expect.stringMatching(new RegExp(`^clr:(?:${file}|${path.basename(file)})$`));

  const versions = [
    ['mono', /^Mono 6\.\d+$/, `${shop}.exe`],
    ['net9', /^\.NET 9\.0\.1$/, `${shop}.dll`],
    ['net31', /^\.NET Core 3\.1\.2$/, `${shop}.dll`],
  ] as const;
  it.each(versions.filter(([clr]) => isHere(clr)))('on %s are named and versioned', async (clr, runtimeName, file) => {
    const target = await startDotnet(clr, 'shop');
    expect(driver.recognise(target.info, inspector)).toEqual({
      runtime: 'clr',
      runtimeName: expect.stringMatching(runtimeName),
      appName: 'Shop',
      identity: identityOf(file),
    });
  });

  it.runIf(isHere('net8'))('of one file are named by it, and say which .NET is inside', async () => {
    const target = await startDotnet('net8', 'shop');
    expect(driver.recognise(target.info, inspector)).toMatchObject({
      runtimeName: '.NET 8.0.30',
      appName: 'Powerbi Modeling Mcp',
      identity: identityOf(commandOf('net8')),
    });
  });

  it.runIf(isHere('net9'))('that bring their own .NET are named by their assembly', async () => {
    const exe = path.join(path.dirname(commandOf('net9')), '../mcp-linux-x64/dist/azmcp');
    const target = await startProgram(exe, ['server', 'start'], {
      ready: /^/,
      env: { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
    });
    await until('it to run', () => driver.recognise(target.info, inspector)?.appName === 'Azure MCP Server');
    expect(driver.recognise(target.info, inspector)?.runtimeName).toBe('.NET 9.0.1');
  });

  it('are found by what they have mapped when they have gone to another folder', async () => {
    const target = await startDotnet('mono', 'shop');
    const argv = ['mono', 'Shop.exe'];
    expect(driver.recognise({ ...target.info, argv, cwd: '/' }, inspector)?.identity).toEqual(
      identityOf(`${shop}.exe`),
    );
  });
});
