import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ToolKind, toolKindOf } from '../../../src/daemon/tool-commands.ts';

const kindOf = (line: string) => toolKindOf({ argv: line.split(' ') });

describe('tools of developers', () => {
  it.each<[ToolKind, string]>([
    ['package manager', 'node /usr/local/bin/npm install'],
    ['package manager', 'node /usr/lib/node_modules/npm/bin/npm-cli.js run build'],
    ['package manager', '/usr/bin/node /usr/local/bin/npx create-app'],
    ['package manager', 'node /home/ada/.yarn/releases/yarn.cjs install'],
    ['package manager', 'node /opt/pnpm/bin/pnpm.cjs install'],
    ['build tool', 'node /srv/app/node_modules/.bin/tsc -p .'],
    ['build tool', 'node /srv/app/node_modules/typescript/bin/tsc --watch'],
    ['build tool', 'node /srv/app/node_modules/.bin/webpack --mode production'],
    ['build tool', 'node node_modules/.bin/rollup -c'],
    ['build tool', 'node /srv/app/node_modules/.bin/vite build'],
    ['build tool', 'node /srv/app/node_modules/vite/bin/vite.js build --ssr'],
    ['build tool', 'node /srv/app/node_modules/.bin/next build'],
    ['build tool', 'node --max-old-space-size=4096 node_modules/.bin/ng build'],
    ['test runner', 'node /srv/app/node_modules/.bin/jest --ci'],
    ['test runner', 'node /srv/app/node_modules/jest-worker/build/workers/processChild.js'],
    ['test runner', 'node --require x.cjs /srv/app/node_modules/vitest/dist/workers/forks.js'],
    ['test runner', 'node /srv/app/node_modules/mocha/bin/_mocha test'],
    ['test runner', 'node --test'],
    ['test runner', 'node --test-reporter=tap a.test.js'],
    ['linter', 'node /srv/app/node_modules/.bin/eslint .'],
    ['linter', 'node node_modules/prettier/bin/prettier.cjs --check .'],
    ['language server', 'node /opt/typescript/lib/tsserver.js --useInferredProjectPerProjectRoot'],
    ['language server', 'node /x/node_modules/.bin/typescript-language-server --stdio'],
    ['editor helper', '/usr/share/code/code --type=extensionHost --dns-result-order=ipv4first'],
    ['build tool', '/usr/lib/jvm/java-17/bin/javac -d out A.java'],
    [
      'build tool',
      'java -cp /opt/gradle/lib/gradle-launcher.jar org.gradle.launcher.daemon.bootstrap.GradleDaemon 8.5',
    ],
    [
      'build tool',
      'java -classpath /usr/share/maven/boot/plexus.jar org.codehaus.plexus.classworlds.launcher.Launcher install',
    ],
    ['test runner', 'java -jar /tmp/surefire1/surefirebooter123.jar /tmp/x'],
    ['build tool', 'dotnet build'],
    ['build tool', 'dotnet test --no-build'],
    ['build tool', 'dotnet exec /usr/share/dotnet/sdk/8.0.100/Roslyn/bincore/VBCSCompiler.dll -pipename:x'],
    ['build tool', 'dotnet /usr/share/dotnet/sdk/8.0.100/MSBuild.dll /nodemode:1'],
    ['build tool', 'mono /usr/lib/mono/4.5/mcs.exe a.cs'],
  ])('%s: %s', (kind, line) => {
    expect(kindOf(line)).toBe(kind);
  });

  it('are known also when they have set their title', () => {
    expect(toolKindOf({ argv: ['npm run build'] })).toBe('package manager');
    expect(toolKindOf({ argv: ['vitest 1'] })).toBe('test runner');
  });
});

describe('what is no tool', () => {
  it.each([
    'node server.js',
    'node --inspect=0 /srv/shop/index.mjs build',
    'node /srv/app/node_modules/.bin/vite',
    'node /srv/app/node_modules/.bin/vite preview',
    'node /srv/app/node_modules/.bin/next dev',
    'node /srv/app/node_modules/.bin/next start',
    'node /srv/app/node_modules/.bin/webpack serve',
    'node /srv/app/node_modules/.bin/json-server db.json',
    'node /usr/lib/node_modules/node-red/red.js',
    'node /srv/jester/index.js',
    'node -e setInterval(()=>{},1000)',
    'java -jar shop.jar',
    'java -cp a.jar com.example.coffeeshop.Main build',
    'dotnet Shop.dll',
    'dotnet run',
    'mono KeePass.exe',
    '/usr/lib/chromium/chromium --remote-debugging-port=0',
    'deno run server.ts',
  ])('%s', (line) => {
    expect(kindOf(line)).toBeNull();
  });

  it('may have any arguments, or none', () => {
    expect(toolKindOf({ argv: [] })).toBeNull();
    fc.assert(fc.property(fc.array(fc.string()), (argv) => void toolKindOf({ argv })));
  });
});
