import { writeSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

type Reason = { message: string; stack?: string; diff?: string };

/**
 * Prints each failure when it happens, and `N passed, N failed, N skipped` as the very last line. A failure is one of a test, a
 * hook or a file. These also count as failed: a file that did not load, a hook that threw and the tests that it kept from
 * running, a test that never ended, an error outside of every test, and a run that ends with a bad exit code for any other
 * reason. If a run is interrupted, its last line says so, and counts the tests that had ended.
 */
export default class Summary implements Reporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  #isRunning = false;

  onInit() {
    // Vitest still prints after it has notified reporters of the end. Nothing comes after this event.
    process.on('exit', (code) => {
      if (code !== 0 && this.#failed === 0 && !this.#isRunning) this.#failed = 1;
      const counts = `${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped`;
      writeSync(1, this.#isRunning ? `interrupted: ${counts} until then\n` : `${counts}\n`);
    });
  }

  onTestRunStart() {
    this.#passed = this.#failed = this.#skipped = 0;
    this.#isRunning = true;
  }

  onTestCaseResult(test: TestCase) {
    this.#count(test);
    const { state, errors } = test.result();
    if (state === 'failed') this.#explain(`${test.module.relativeModuleId} > ${test.fullName}`, errors ?? []);
  }

  onTestSuiteResult(suite: TestSuite) {
    this.#explain(`${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors());
  }

  onTestModuleEnd(module: TestModule) {
    this.#explain(module.relativeModuleId, module.errors());
  }

  #explain(where: string, reasons: readonly Reason[]) {
    for (const { message, stack, diff } of reasons) {
      process.stdout.write(`\nFAILED ${where}\n${stack ?? message}\n${diff ? `${diff}\n` : ''}\n`);
    }
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    this.#isRunning = false;
    this.#passed = this.#skipped = 0;
    this.#failed = unhandledErrors.length;
    for (const module of modules) {
      for (const test of module.children.allTests()) this.#count(test);
      for (const suite of [module, ...module.children.allSuites()]) {
        // An error that kept tests from running is counted by those tests. Any other counts by itself.
        if (suite.errors().length > 0 && ![...suite.children.allTests()].some(wasKeptFromRunning))
          this.#failed++;
      }
    }
  }

  #count(test: TestCase) {
    const { state } = test.result();
    if (state === 'passed') this.#passed++;
    else if (state === 'skipped' && !wasKeptFromRunning(test)) this.#skipped++;
    // Vitest leaves a test pending that has no chosen tag and lies in a suite that is skipped.
    else if (state === 'pending' && isInSkippedSuite(test)) this.#skipped++;
    else this.#failed++;
  }
}

function wasKeptFromRunning(test: TestCase): boolean {
  if (test.result().state !== 'skipped' || test.options.mode === 'skip' || test.options.mode === 'todo')
    return false;
  for (let parent: TestSuite | TestModule = test.parent; ; parent = parent.parent) {
    if (parent.errors().length > 0) return true;
    if (parent.type === 'module') return false;
  }
}

function isInSkippedSuite({ parent }: TestCase): boolean {
  for (let suite = parent; suite.type === 'suite'; suite = suite.parent)
    if (suite.options.mode === 'skip') return true;
  return false;
}
