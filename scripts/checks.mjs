// What is checked without running anything: the tasks of `npm run check` and `npm test` after the npm packages are there.
import { ROOT } from './install.mjs';

const bin = (name) => `${ROOT}/node_modules/.bin/${name}`;
const types = (project) => [bin('tsc'), '--noEmit', '--project', project];
const after = ['npm packages'];

export const CHECKS = [
  { what: 'lint', command: [bin('biome'), 'check', '.'], after },
  { what: 'types', command: types('tsconfig.json'), after },
  { what: 'types of code for pages', command: types('tsconfig.page.json'), after },
  { what: 'types of its tests', command: types('tsconfig.page-tests.json'), after },
  { what: 'types of the dashboard', command: types('tsconfig.dashboard.json'), after },
  { what: 'unused code', command: [bin('knip')], after },
];
