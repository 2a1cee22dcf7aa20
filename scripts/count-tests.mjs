import { readFileSync } from 'node:fs';
import { securityPromises, unproven } from './promises.mjs';

// The closing lines of a whole test run: how many tests ran, how they ended, and which promises they did not prove.
const report = JSON.parse(readFileSync(new URL('../.vitest-report.json', import.meta.url), 'utf8'));
const { numPassedTests: passed, numFailedTests: failed, numPendingTests, numTodoTests } = report;
const skipped = numPendingTests + numTodoTests;
// Some tests act as other users, or start a container engine. Whoever is not root cannot, and is told.
const maySkip = process.getuid?.() !== 0;
const note = skipped > 0 ? ' (to run these too takes root, on Linux)' : '';
const broken = unproven(securityPromises(), report);
for (const line of broken) console.error(`SECURITY.md: ${line}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped${note}`);
if (failed > 0 || passed === 0 || (skipped + broken.length > 0 && !maySkip)) process.exitCode = 1;
