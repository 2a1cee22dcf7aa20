import { readFileSync } from 'node:fs';

// The closing line of a whole test run: how many tests ran, and how they ended.
const report = JSON.parse(readFileSync(new URL('../.vitest-report.json', import.meta.url), 'utf8'));
const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numTodoTests: todo } = report;
console.log(`${passed} passed, ${failed} failed, ${skipped + todo} skipped`);
if (failed > 0 || skipped + todo > 0 || passed === 0) process.exitCode = 1;
