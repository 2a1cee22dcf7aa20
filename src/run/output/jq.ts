import { SkillError } from '../../core/errors.ts';

/** A function that applies a jq filter to JSON, and returns compact JSON, one text for each result. */
export type Jq = (filter: string, input: string) => readonly string[];

/** The program itself, and its answer. */
export type RawJq = (input: string, filter: string) => JqAnswer;

export interface JqAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The error for input that is not JSON. */
export class NotJson extends SkillError {}

const longestFilter = 20_000;
/** Number of results at most: each takes more memory than its characters. */
const mostResults = 4_000_000;

/**
 * Makes a `Jq` that tells errors apart by how jq ends, and never by what it prints: a filter can print anything, with
 * `stderr`, `debug` and `halt_error`, and end with any code.
 */
export function createJq(raw: RawJq): Jq {
  return (filter, input) => {
    if (filter.length > longestFilter) throw filterError(`has more than ${longestFilter} characters`, narrower);
    if (filter.includes('\0')) throw filterError('has a NUL character', 'Leave it out.');
    const { stdout, stderr, exitCode } = raw(input, filter);
    if (exitCode === 0) return resultsIn(stdout);
    // Without input, the filter is compiled and nothing more.
    const compiled = raw('', filter);
    if (compiled.exitCode !== 0) throw invalid(compiled.stderr);
    const read = raw(input, 'empty');
    if (read.exitCode !== 0) throw notJson(read.stderr);
    throw failed(stderr);
  };
}

/** The `Jq` of an installation without one. */
export const absentJq: Jq = () => {
  throw new SkillError('unavailable', 'jq is not part of this installation', {
    hint: 'Leave jq and format out, or install the package repertoire as it is published',
  });
};

export const narrower = 'Narrow the filter down, for example with limit(100; …) or by selecting only the part you need';

export function filterError(what: string, hint: string): SkillError {
  return new SkillError('usage', `The jq filter ${what}`, { hint });
}

function resultsIn(stdout: string): readonly string[] {
  if (stdout === '') return [];
  const results = stdout.split('\n', mostResults + 1);
  if (results.length > mostResults) throw failed('the results are too many');
  return results;
}

function invalid(stderr: string): SkillError {
  const said = firstLine(stderr).replace(/^jq: error: |:$|<top-level>, /g, '');
  return filterError(`is not valid: ${said}`, 'See https://jqlang.org/manual');
}

function notJson(stderr: string): NotJson {
  const said = firstLine(stderr).replace(/^jq: parse error: /, '');
  return new NotJson('usage', `jq needs JSON, and the output is not: ${said}`, {
    hint: 'Leave out jq to see the output, or use grep, head and tail, which take any text',
  });
}

/** The error for a filter that failed. What it has printed before is of no use here. */
function failed(stderr: string): SkillError {
  const own = /^[\s\S]*jq: error \(at [^)]*\)(?: \(not a string\))?: /;
  return filterError(
    `failed: ${firstLine(stderr.replace(own, '')).slice(0, 300).toWellFormed()}`,
    'Use ? or // for what may be missing, and look at the output without jq if you do not know its structure',
  );
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
