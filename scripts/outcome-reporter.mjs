// A reporter for vitest that writes how the tests went into the file that OUTCOME_FILE names: { passed, skipped,
// failures, unstable }; unstable are those that failed and then passed.
// For what is said after several runs, whose own reports are far above by then.
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
      ...unhandled.map((error) => `outside of any test: ${textOf(error)}`),
    ];
    const unstable = tests
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) => failure(test.module, test.fullName, test.result().errors ?? []));
    const outcome = { passed: inState('passed').length, skipped: inState('skipped').length, failures, unstable };
    fs.writeFileSync(process.env.OUTCOME_FILE, JSON.stringify(outcome));
  }
}

function failure(module, name, errors) {
  return `${path.relative(ROOT, module.moduleId)}: ${name}\n${errors.map(textOf).join('\n')}`;
}

function textOf({ stack, message, diff }) {
  const lines = (stack ?? message).split('\n').filter((line) => !/^\s+at .*(node_modules|node:)/.test(line));
  return [...lines, diff ?? ''].join('\n').trimEnd();
}
