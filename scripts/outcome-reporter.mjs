// A reporter for vitest that writes the results into the file that OUTCOME_FILE names: { passed, failures: [{ file,
// name, text }], skipped: [file, …], slow: [{ file, seconds }] }. For the summary after several runs, whose own reports
// have scrolled away by then.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './install.mjs';

export default class OutcomeReporter {
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state) => tests.filter((test) => test.result().state === state);
    const failures = [
      ...inState('failed').map((test) => failure(test.module, test.fullName, test.result().errors)),
      ...modules.flatMap((module) =>
        [module, ...module.children.allSuites()]
          .filter((suite) => suite.errors().length > 0)
          .map((suite) => failure(module, suite.fullName ?? 'the file itself', suite.errors())),
      ),
      ...unhandled.map((error) => ({ file: 'outside of any test', name: '', text: textOf(error) })),
    ];
    const seconds = (module) => Math.round(module.diagnostic().duration / 1000);
    const outcome = {
      passed: inState('passed').length,
      failures,
      skipped: inState('skipped').map((test) => fileOf(test.module)),
      slow: modules.map((module) => ({ file: fileOf(module), seconds: seconds(module) })),
    };
    fs.writeFileSync(process.env.OUTCOME_FILE, JSON.stringify(outcome));
  }
}

const fileOf = (module) => path.relative(ROOT, module.moduleId);

function failure(module, name, errors) {
  return { file: fileOf(module), name, text: errors.map(textOf).join('\n') };
}

function textOf({ stack, message, diff }) {
  const lines = (stack ?? message).split('\n').filter((line) => !/^\s+at .*(node_modules|node:)/.test(line));
  return [...lines, diff ?? ''].join('\n').trimEnd();
}
