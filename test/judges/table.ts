import type { Reporter, TestModule } from 'vitest/node';

/** What a judge counted. */
export interface Count {
  readonly passed: number;
  readonly total: number;
}

declare module 'vitest' {
  interface TaskMeta {
    count?: Count;
  }
}

const wide = 14;

/** Prints who judged what, and how many checks were passed. */
export class Table implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.flatMap((module) => {
      const judge = module.moduleId.replace(/^.*\/(.*)\.judge\.ts$/, '$1');
      return [...module.children.allTests()].map((test) => {
        const { passed = 0, total = 0 } = test.meta().count ?? {};
        const { state, ...result } = test.result();
        return { judge, what: test.name, passed, total, state, note: 'note' in result ? result.note : undefined };
      });
    });
    const width = Math.max(...rows.map(({ what }) => what.length), 0);
    const line = (judge: string, what: string, rest: string) => `${judge.padEnd(wide)}${what.padEnd(width)}  ${rest}\n`;
    const sum = (key: keyof Count) => rows.reduce((total, row) => total + row[key], 0);
    const lines = rows.map((row) => line(row.judge, row.what, `${row.passed}/${row.total}${noteOn(row)}`));
    const table = [line('judge', 'what', 'passed'), ...lines, line('', 'all', `${sum('passed')}/${sum('total')}`)];
    process.stdout.write(`\n${table.join('')}`);
  }
}

function noteOn({
  passed,
  total,
  state,
  note,
}: Count & { readonly state: string; readonly note: string | undefined }): string {
  if (note !== undefined) return `  NOT TRIED: ${note}`;
  if (state !== 'passed') return `  ${state.toUpperCase()}`;
  return total === passed ? '' : `  (${total - passed} excused)`;
}
