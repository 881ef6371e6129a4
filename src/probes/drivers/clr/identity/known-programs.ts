/** Programs whose assembly name is meaningless to people, or a host of another program. */
import path from 'node:path';
import type { ClrCommand } from './clr-command.ts';

interface KnownProgram {
  /** File name of the assembly or executable, without its extension. */
  readonly main: RegExp;
  readonly name: string | ((command: ClrCommand) => string);
}

const KNOWN: readonly KnownProgram[] = [
  // Programs with windows
  { main: /^KeePass$/i, name: 'KeePass' },
  { main: /^Pinta$/i, name: 'Pinta' },
  { main: /^(?:Banshee|Nereid)$/i, name: 'Banshee' },
  { main: /^MonoDevelop$/i, name: 'MonoDevelop' },
  {
    main: /^(?:Tomboy|F-Spot|Gbrainy)$/i,
    name: ({ assembly }) => path.basename(assembly ?? '').replace(/\.exe$/i, ''),
  },
  { main: /^(?:rider-backend|JetBrains\.Rider\.Backend|Rider\.Backend)$/i, name: 'Rider Backend' },
  { main: /^OpenRA(?:\.Game)?$/i, name: 'OpenRA' },
  { main: /^StardewModdingAPI$/i, name: 'Stardew Valley' },
  { main: /^ckan$/i, name: 'CKAN' },
  { main: /^ILSpy$/i, name: 'ILSpy' },
  // Servers
  { main: /^jellyfin$/i, name: 'Jellyfin' },
  { main: /^EmbyServer$/i, name: 'Emby' },
  { main: /^Ombi$/i, name: 'Ombi' },
  { main: /^(?:Sonarr|NzbDrone)(?:\.Console)?$/i, name: 'Sonarr' },
  { main: /^Radarr(?:\.Console)?$/i, name: 'Radarr' },
  { main: /^Lidarr(?:\.Console)?$/i, name: 'Lidarr' },
  { main: /^Readarr(?:\.Console)?$/i, name: 'Readarr' },
  { main: /^Prowlarr(?:\.Console)?$/i, name: 'Prowlarr' },
  { main: /^jackett(?:console)?$/i, name: 'Jackett' },
  {
    main: /^Duplicati\.(?:GUI\.TrayIcon|Server|CommandLine)(?:\..*)?$|^duplicati(?:-server|-cli)?$/i,
    name: 'Duplicati',
  },
  { main: /^Kavita$/i, name: 'Kavita' },
  { main: /^BTCPayServer$/i, name: 'BTCPay Server' },
  { main: /^Terraria(?:Server)?$/i, name: 'Terraria' },
  { main: /^TShock(?:\.Server)?$/i, name: 'TShock' },
  { main: /^sqlservr$/i, name: 'SQL Server' },
  { main: /^Agent\.Listener$/i, name: 'Azure Pipelines Agent' },
  { main: /^Runner\.(?:Listener|Worker)$/i, name: 'GitHub Actions Runner' },
  { main: /^(?:xsp4?|fastcgi-mono-server4?|mod-mono-server4?)$/i, name: 'Mono Web Server' },
  // Build and development tools
  { main: /^pwsh(?:-preview)?$/i, name: 'PowerShell' },
  { main: /^OmniSharp$/i, name: 'OmniSharp' },
  { main: /^Microsoft\.CodeAnalysis\.LanguageServer$/i, name: 'C# Language Server' },
  { main: /^FSAutoComplete$|^fsautocomplete(?:\.netcore)?$/i, name: 'F# Language Server' },
  { main: /^VBCSCompiler$/i, name: 'C# Compiler Server' },
  { main: /^csc$/i, name: 'C# Compiler' },
  { main: /^mcs$/i, name: 'Mono C# Compiler' },
  { main: /^csharp$/i, name: 'Mono C# Shell' },
  { main: /^fsc$|^fsi$/i, name: 'F#' },
  { main: /^MSBuild$/i, name: ofMsBuild },
  { main: /^(?:testhost(?:\.x86)?|vstest\.console|datacollector)$/i, name: 'Test Host' },
  { main: /^nuget$/i, name: 'NuGet' },
  { main: /^Microsoft\.AspNetCore\.Razor\.Tools$|^rzc$/i, name: 'Razor Compiler' },
  { main: /^dotnet-watch$/i, name: 'dotnet watch' },
  { main: /^dotnet-ef$|^ef$/i, name: 'dotnet ef' },
  { main: /^dotnet$/i, name: 'dotnet' },
];

/** Commands of the SDK that start a program with a name of its own. */
const SDK_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['fsi', 'F# Interactive'],
  ['test', 'dotnet test'],
  ['vstest', 'Test Host'],
]);

export function knownProgram(main: string, command: ClrCommand): string | null {
  const found = KNOWN.find((known) => known.main.test(main));
  if (!found) return null;
  return typeof found.name === 'string' ? found.name : found.name(command);
}

/** A person types `dotnet build`. */
export function sdkProgram(command: string): string {
  return SDK_COMMANDS.get(command) ?? `dotnet ${command}`;
}

/** A worker node stays after a build, for the next one. */
function ofMsBuild({ args }: ClrCommand): string {
  return args.some((argument) => /^[-/]nodemode:/i.test(argument)) ? 'MSBuild Node' : 'MSBuild';
}
