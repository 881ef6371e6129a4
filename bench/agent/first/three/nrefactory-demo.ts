import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

const file = (name: string) => debianFile('nrefactory-demo', `usr/lib/${name}`);
const LIBRARIES = ['', '.CSharp', '.Xml', '.Cecil'].map((name) => `cli/ICSharpCode.NRefactory${name}-5.0`);

export const nrefactoryDemo: FirstApp = {
  name: 'nrefactory-demo',
  kind: 'Mono: Windows Forms',
  debian: [
    'nrefactory-samples',
    'libicsharpcode-nrefactory5.0-cil',
    'libicsharpcode-nrefactory-csharp5.0-cil',
    'libicsharpcode-nrefactory-cecil5.0-cil',
    'libicsharpcode-nrefactory-xml5.0-cil',
  ],
  isHttp: false,
  start({ folder }) {
    const command = ['mono', file('nrefactory-samples/ICSharpCode.NRefactory.Demo.exe')];
    return startOnScreen('env', [`MONO_PATH=${LIBRARIES.map(file).join(':')}`, ...command], folder);
  },
  fill: async (url) => (await windowTitles(url)).includes('NRefactory Demo'),
  ready: async () => true,
  facts: [
    { ask: 'title of the window', value: 'NRefactory Demo' },
    { ask: 'source that is shown', value: 'Hello, World' },
    { ask: 'a part of the source', value: 'UsingDeclaration' },
    { ask: 'another part of it', value: 'TypeDeclaration' },
    { ask: 'language of the page', value: 'C#' },
  ],
  tasks: [
    { kind: 'read', words: 'What is in the "csharp code text box"?', check: says('Hello, World') },
    {
      kind: 'act',
      words: 'Set the "csharp code text box" to "class Kittiwake {}".',
      check: async ({ url }) => (await windowTitles(url)).some((title) => title.includes('class Kittiwake')),
    },
  ],
};
