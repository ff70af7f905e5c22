/** Reports to Jest's caller only what failed. */
export default class FailuresReporter {
  onTestResult(_test, { failureMessage }) {
    if (failureMessage) process.stderr.write(`${failureMessage}\n`);
  }
}
