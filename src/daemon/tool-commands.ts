/**
 * Distinguishes tools of developers from apps by the command line: nobody asks for the state of a compiler, and an
 * attach would slow it down and write into its output. A tool that serves, such as `vite` without `build`, counts as an
 * app.
 */
import type { ProcessInfo } from '../model/process.ts';

export type ToolKind =
  | 'package manager'
  | 'build tool'
  | 'test runner'
  | 'linter'
  | 'language server'
  | 'editor helper';

/** Subcommands that build or test: `vite build` is a tool, `vite` is not. */
const TOOL_SUBCOMMAND =
  /^(?:build|test|compile|lint|check|format|generate|export|publish|pack|restore|install|ci|clean)(?::|$)/;

/** Matched against the name of the script, package, main class or assembly. */
const KINDS: readonly (readonly [ToolKind, RegExp])[] = [
  ['package manager', /^(?:npm|npx|pnpm|pnpx|yarn|corepack|bower|lerna|node-gyp|nuget|npm-cli|npx-cli)$/],
  [
    'test runner',
    /^_?(?:jest|jest-worker|vitest|mocha|ava|tap|tape|nyc|c8|karma|jasmine|cypress|wdio|testhost|tinypool)$/,
  ],
  ['test runner', /(?:surefirebooter\d*|JUnitStarter|ConsoleLauncher|GradleWorkerMain|vstest\.console)$/],
  [
    'build tool',
    /^(?:tsc|tsup|webpack|webpack-cli|rollup|esbuild|swc|babel|babel-node|parcel|gulp|grunt|turbo|nx|rspack|tsdown|sass|postcss|knip|typedoc|javac|kotlinc|scalac|ant|mcs|csc|VBCSCompiler|MSBuild|xbuild)$/,
  ],
  [
    'build tool',
    /(?:GradleDaemon|GradleWrapperMain|GradleMain|plexus\.classworlds\.launcher\.Launcher|sbt\.ForkMain|K2JVMCompiler|com\.sun\.tools\.javac\.Main)$/,
  ],
  ['linter', /^(?:eslint|eslint_d|prettier|prettierd|biome|stylelint|tslint|standard|xo|depcheck|markdownlint)$/],
  [
    'language server',
    /(?:language-?server|langserver|[Ll]anguageServer|-ls|tsserver|typingsInstaller|OmniSharp|org\.eclipse\.equinox\.launcher.*jdt)$/,
  ],
  ['editor helper', /^(?:extensionHost|fileWatcher|ptyHost|bootstrap-fork)$/],
];
/** Commands that are tools only with such a subcommand. */
const BY_SUBCOMMAND =
  /^(?:vite|next|nuxt|nuxi|astro|remix|gatsby|ng|vue-cli-service|react-scripts|svelte-kit|dotnet|playwright|storybook|docusaurus|hugo|expo|tauri|electron-builder|electron-forge)$/;

/** Null if it is no tool. */
export function toolKindOf({ argv }: Pick<ProcessInfo, 'argv'>): ToolKind | null {
  // A program that sets its title has all of it in one argument.
  const words = argv.length === 1 ? (argv[0] ?? '').split(' ') : argv;
  if (words.slice(1).some((word) => /^--test(?:$|-)/.test(word)) && nameOf(words[0] ?? '') === 'node')
    return 'test runner';
  const { name, rest } = commandOf(words);
  for (const candidate of new Set([name, ...packagesOf(words)])) {
    const kind = KINDS.find(([, pattern]) => pattern.test(candidate))?.[0];
    if (kind !== undefined && !(kind === 'build tool' && isServing(rest))) return kind;
    if (BY_SUBCOMMAND.test(candidate) && rest.some((word) => TOOL_SUBCOMMAND.test(word))) return 'build tool';
  }
  const type = words.find((word) => word.startsWith('--type='))?.slice('--type='.length);
  return type === 'extensionHost' || type === 'fileWatcher' || type === 'ptyHost' ? 'editor helper' : null;
}

/** True if its children work for it. A package manager starts whatever its user wants to run. */
export function startsForItself(kind: ToolKind): boolean {
  return kind !== 'package manager';
}

function isServing(words: readonly string[]): boolean {
  return words.some((word) => /^(?:serve|dev|start|preview|develop)$/.test(word));
}

/** The name of the program, and the arguments after it. */
function commandOf(words: readonly string[]): { name: string; rest: readonly string[] } {
  const first = nameOf(words[0] ?? '');
  if (!/^(?:node|nodejs|java|dotnet|mono(?:-sgen)?|deno|bun)$/.test(first))
    return { name: first, rest: words.slice(1) };
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^(?:-cp|-classpath|--class-path|-p|--module-path|-r|--require|--import|--loader|-C)$/.test(word)) at++;
    else if (!word.startsWith('-')) {
      // `dotnet build` runs no file of that name.
      if (first === 'dotnet' && word === 'exec') continue;
      if (first === 'dotnet' && !/\.(?:dll|exe)$/.test(word)) return { name: first, rest: words.slice(at) };
      return { name: nameOf(word), rest: words.slice(at + 1) };
    }
  }
  return { name: first, rest: [] };
}

/** The package that a script belongs to, with and without its scope. */
function packagesOf(words: readonly string[]): string[] {
  const script = words.slice(0, 6).find((word) => word.includes('node_modules/')) ?? '';
  const name = /^.*node_modules\/(?:\.bin\/|(?:@[\w.-]+\/))?([\w.-]+)/.exec(script)?.[1];
  return name === undefined ? [] : [name];
}

function nameOf(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name.replace(/\.(?:c|m)?js$|\.(?:jar|dll|exe)$/, '');
}
