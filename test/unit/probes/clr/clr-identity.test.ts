import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProcessDetails, ProcessInfo } from '../../../../src/model/process.ts';
import { parseCoreClrVersion } from '../../../../src/probes/drivers/clr/coreclr/coreclr-build.ts';
import { parseClrCommand } from '../../../../src/probes/drivers/clr/identity/clr-command.ts';
import { findRuntime, parseSettings } from '../../../../src/probes/drivers/clr/identity/clr-facts.ts';
import { identifyClr, runtimeNameOf } from '../../../../src/probes/drivers/clr/identity/clr-identity.ts';
import { parsePeNames, readPeNames } from '../../../../src/probes/drivers/clr/identity/pe-names.ts';

const folder = fs.mkdtempSync(path.join(os.homedir(), '.substrate-clr-identity-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A command line whose first word is the executable. */
function identify(line: string, cwd = '/srv/orders') {
  const [exe = '', ...args] = line.split(' ');
  const command = parseClrCommand(path.basename(exe), [exe, ...args]);
  return identifyClr({ command, main: command.assembly === null ? exe : path.resolve(cwd, command.assembly) }, String);
}

describe('the name of a .NET program', () => {
  it.each([
    ['/usr/bin/dotnet OrderDesk.dll', 'Order Desk'],
    ['/usr/bin/dotnet exec --runtimeconfig a.json --depsfile b.json OrderDesk.dll x.dll', 'Order Desk'],
    ['/usr/bin/dotnet --fx-version 8.0.1 order-desk.dll other.dll', 'Order Desk'],
    ['/usr/bin/dotnet Contoso.Orders.Api.dll', 'Contoso Orders'],
    ['/usr/bin/dotnet app.dll', 'Orders'],
    ['/usr/bin/dotnet /srv/tea-time/bin/Debug/net8.0/App.dll', 'Tea Time'],
    ['/usr/bin/dotnet /srv/TeaTime/bin/Release/netcoreapp3.1/linux-x64/publish/Program.dll', 'Tea Time'],
    ['/srv/tea/bin/Debug/net8.0/TeaHouse', 'Tea House'],
    ['/opt/tea-1.4.2/Main', 'Tea'],
    ['/usr/bin/mono --debug coffee.exe tea.exe', 'Coffee'],
    ['/usr/bin/mono-sgen --config /etc/x.config --gc=sgen -O=all CoffeeHouse.exe a.exe', 'Coffee House'],
    ['/usr/bin/mono /usr/lib/keepass2/KeePass.exe', 'KeePass'],
    ['/usr/bin/mono Main.exe', 'Orders'],
    ['/usr/lib/jellyfin/bin/jellyfin --ffmpeg=/x', 'Jellyfin'],
    ['/opt/microsoft/powershell/7/pwsh -File a.ps1', 'PowerShell'],
    ['/usr/bin/dotnet build', 'dotnet build'],
    ['/usr/bin/dotnet run --project a.csproj', 'dotnet run'],
    ['/usr/bin/dotnet /usr/share/dotnet/sdk/8.0.100/MSBuild.dll /nologo /nodemode:1 /nodeReuse:true', 'MSBuild Node'],
    [
      '/usr/bin/dotnet exec /usr/share/dotnet/sdk/8.0.100/Roslyn/bincore/VBCSCompiler.dll -pipename:x',
      'C# Compiler Server',
    ],
    ['/usr/bin/dotnet exec --depsfile a.json /root/.nuget/x/testhost.dll --port 1', 'Test Host'],
    ['/usr/bin/dotnet /opt/omnisharp/OmniSharp.dll', 'OmniSharp'],
    ['/usr/bin/mono /opt/Sonarr/Sonarr.exe -nobrowser', 'Sonarr'],
    ['/opt/Radarr/Radarr', 'Radarr'],
    ['/usr/bin/mono /usr/lib/duplicati/Duplicati.GUI.TrayIcon.exe', 'Duplicati'],
  ])('%s: %s', (line, name) => {
    expect(identify(line).appName).toBe(name);
  });

  it('is what the makers have written into the assembly', () => {
    const titled = path.join(folder, 'x1.dll');
    fs.writeFileSync(titled, assembly({ ProductName: 'Sweet Tea', FileDescription: 'x1' }));
    expect(identify(`/usr/bin/dotnet ${titled}`).appName).toBe('Sweet Tea');
    const part = path.join(folder, 'TeaParser.dll');
    fs.writeFileSync(part, assembly({ ProductName: 'SharpTea/MonoTea', FileDescription: 'TeaParser' }));
    expect(identify(`/usr/bin/dotnet ${part}`).appName).toBe('Tea Parser');
    const described = path.join(folder, 'x2.dll');
    fs.writeFileSync(described, assembly({ ProductName: 'x2', FileDescription: 'Tea Server' }));
    expect(identify(`/usr/bin/dotnet ${described}`).appName).toBe('Tea Server');
    const plain = path.join(folder, 'TeaBags.dll');
    fs.writeFileSync(plain, assembly({ ProductName: 'TeaBags', FileDescription: ' ' }));
    expect(identify(`/usr/bin/dotnet ${plain}`).appName).toBe('Tea Bags');
  });
});

/** The part of an assembly that is read: a section with the strings of its version. */
function assembly(strings: Record<string, string>): Buffer {
  const header = Buffer.alloc(512);
  header.write('MZ', 0, 'latin1');
  header.writeUInt32LE(128, 60);
  header.write('PE\0\0', 128, 'latin1');
  header.writeUInt16LE(1, 134);
  header.writeUInt16LE(0, 148);
  header.write('.rsrc', 152, 'latin1');
  const parts = Object.entries(strings).map(([name, value]) => {
    const key = Buffer.from(`${name}\0`, 'utf16le');
    const text = Buffer.from(`${value}\0`, 'utf16le');
    return Buffer.concat([key, Buffer.alloc(-key.length & 3), text, Buffer.alloc(-text.length & 3)]);
  });
  const resource = Buffer.concat(parts);
  header.writeUInt32LE(resource.length, 168);
  header.writeUInt32LE(512, 172);
  return Buffer.concat([header, resource]);
}

describe('the names in an assembly', () => {
  const parse = (bytes: Buffer) =>
    parsePeNames((target, position) => (position >= bytes.length ? 0 : bytes.copy(target, 0, position)));

  it('are read', () => {
    expect(parse(assembly({ ProductName: 'Tea', FileDescription: 'Tea Server' }))).toEqual({
      product: 'Tea',
      title: 'Tea Server',
    });
    expect(parse(assembly({ ProductName: '\u0007' }))).toEqual({ product: null, title: null });
  });

  it('may be anything', () => {
    const whole = assembly({ ProductName: 'Tea', FileDescription: 'Tea Server' });
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (at, noise) => {
        const bytes = Buffer.from(whole);
        bytes.set(noise.subarray(0, bytes.length - at), at);
        for (const name of Object.values(parse(bytes) ?? {})) expect(name === null || name.length <= 200).toBe(true);
      }),
    );
    expect(readPeNames('/dev/zero')).toBeNull();
    expect(readPeNames('/nowhere')).toBeNull();
  });
});

describe('the identity of a .NET program', () => {
  it('is where it lies, and not what it was given', () => {
    expect(identify('/usr/bin/dotnet app.dll --port 1')).toEqual(
      identify('/opt/dotnet exec /srv/orders/app.dll --port 2', '/'),
    );
    expect(identify('/usr/bin/dotnet a.dll').identity).not.toBe(identify('/usr/bin/dotnet b.dll').identity);
    expect(identify('/usr/bin/dotnet a.dll').identity).not.toBe(
      identify('/usr/bin/dotnet a.dll', '/srv/other').identity,
    );
    expect(identify('/usr/bin/dotnet build').identity).not.toBe(identify('/usr/bin/dotnet test').identity);
  });

  it('has no folder in it that is another the next time', () => {
    const script = (name: string) => identify(`/usr/bin/dotnet /tmp/${name}/Job123456.dll`, '/');
    expect(script('a81237')).toEqual(script('b99'));
  });
});

describe('the runtime', () => {
  const runtimeOf = (exe: string, modules: string[], threads: string[] = []) =>
    findRuntime({ exe } as ProcessInfo, { modules, threads } as unknown as ProcessDetails);

  it.each<[string, ReturnType<typeof runtimeOf>, string | null]>([
    ['the library of .NET', runtimeOf('/a', ['/x/libcoreclr.so']), 'coreclr'],
    [
      'a thread of .NET, inside of the executable',
      runtimeOf('/a', [], ['.NET SynchManag', '.NET Finalizer']),
      'coreclr',
    ],
    ['only the finalizer', runtimeOf('/a', [], ['a', '.NET Finalizer']), 'native-aot'],
    ['the command of Mono', runtimeOf('/usr/bin/mono-sgen', []), 'mono'],
    ['a thread of Mono, inside of the executable', runtimeOf('/a', [], ['a', 'SGen worker']), 'mono'],
    ['a library of Mono', runtimeOf('/a', ['/usr/lib/libmonosgen-2.0.so.1.0.0']), 'mono'],
    ['something else', runtimeOf('/usr/bin/monodoc', ['/lib/libc.so.6'], ['monodoc', 'worker']), null],
    ['nothing of what it has forked', runtimeOf('/usr/bin/mono-sgen', [], ['mono']), null],
  ])('is known by %s', (_, runtime, kind) => {
    expect(runtime?.kind ?? null).toBe(kind);
  });

  it.each([
    ['@(#)Version 9.0.124.61010 @Commit: 1', '9.0.1'],
    ['@(#)Version 8.0.3026.36720', '8.0.30'],
    ['@(#)Version 8.0.23.53103', '8.0.0'],
    ['@(#)Version 4.700.20.6602', null],
    ['@(#)Version ', null],
    ['', null],
  ])('is read from the library: %s', (text, version) => {
    expect(parseCoreClrVersion(Buffer.from(`\0\x7f${text}\0`))).toBe(version);
  });

  it.each<[Parameters<typeof runtimeNameOf>[0]['kind'], string | null, string]>([
    ['coreclr', '9.0.1', '.NET 9.0.1'],
    ['coreclr', '3.1.2', '.NET Core 3.1.2'],
    ['coreclr', '10.0.0-preview.1', '.NET 10.0.0-preview.1'],
    ['coreclr', null, '.NET'],
    ['mono', '6.8.0.105', 'Mono 6.8'],
    ['mono', null, 'Mono'],
    ['native-aot', null, '.NET (native AOT)'],
  ])('%s %s is called %s', (kind, version, name) => {
    expect(runtimeNameOf({ kind, library: null }, { version })).toBe(name);
  });

  it('may have settings, whatever is in them', () => {
    const framework = '{"name":"Microsoft.NETCore.App","version":"8.0.30"}';
    const settings = `\uFEFF{\n// by hand\n"runtimeOptions":{"includedFrameworks":[${framework}],"configProperties":{"A":false}}}`;
    expect(parseSettings(settings)).toEqual({ version: '8.0.30', properties: new Map([['A', false]]) });
    expect(parseSettings('{}')).toEqual({ version: null, properties: new Map() });
    expect(parseSettings('{"runtimeOptions":7}')).toBeNull();
    fc.assert(fc.property(fc.string(), (noise) => void parseSettings(noise)));
    fc.assert(fc.property(fc.json(), (json) => void parseSettings(json)));
  });

  it('may be given any arguments', () => {
    fc.assert(
      fc.property(fc.constantFrom('dotnet', 'mono', 'mono-sgen', 'app'), fc.array(fc.string()), (exe, argv) => {
        const { assembly: found } = parseClrCommand(exe, argv);
        expect(found === null || argv.includes(found)).toBe(true);
      }),
    );
  });
});
