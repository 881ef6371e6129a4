// `import source from './agent/main.ts?agent'` imports the bundled text of code that runs inside a target. One plugin
// for the build (esbuild) and one for the tests (vite), both made of the same bundling step.
import path from 'node:path';
import { build } from 'esbuild';

const SUFFIX = '?agent';

/** One self-contained expression: the value of the file's default export. */
async function bundleAgent(file) {
  const result = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'agent',
    platform: 'neutral',
    target: 'es2020',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'silent',
  });
  return `(()=>{${result.outputFiles[0].text};return agent.default})()`;
}

export const esbuildAgentPlugin = {
  name: 'agent-source',
  setup(build) {
    build.onResolve({ filter: /\?agent$/ }, (args) => ({
      path: path.resolve(args.resolveDir, args.path.slice(0, -SUFFIX.length)),
      namespace: 'agent-source',
    }));
    build.onLoad({ filter: /.*/, namespace: 'agent-source' }, async (args) => ({
      contents: await bundleAgent(args.path),
      loader: 'text',
      watchFiles: [args.path],
    }));
  },
};

export function viteAgentPlugin() {
  return {
    name: 'agent-source',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(SUFFIX)) return null;
      return `export default ${JSON.stringify(await bundleAgent(id.slice(0, -SUFFIX.length)))};`;
    },
  };
}
