// The static checks: the tasks of `npm run check` and `npm test` after the npm packages are installed.
import { ROOT } from './install.mjs';

const bin = (name) => `${ROOT}/node_modules/.bin/${name}`;
const after = ['npm packages'];
const LINT = { what: 'lint', command: [bin('biome'), 'check', '.'], after };
const PROJECTS = {
  types: 'tsconfig.json',
  'types of code for pages': 'tsconfig.page.json',
  'types of its tests': 'tsconfig.page-tests.json',
  'types of the dashboard': 'tsconfig.dashboard.json',
};
/** The tasks that compile; `flags` are for the compiler. */
const types = (flags) =>
  Object.entries(PROJECTS).map(([what, project]) => ({
    what,
    command: [bin('tsc'), '--noEmit', '--project', project, ...flags(project)],
    after,
  }));

export const CHECKS = [LINT, ...types(() => []), { what: 'unused code', command: [bin('knip')], after }];

/** For repeated runs: the compiler reuses the last result. */
export const QUICK_CHECKS = [
  LINT,
  ...types((project) => ['--incremental', '--tsBuildInfoFile', `.cache/types/${project}.tsbuildinfo`]),
];
