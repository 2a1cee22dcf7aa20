import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { identities } from '../sandbox/identities.ts';
import type { StdioServer } from '../support/mcp.ts';
import { isRoot } from '../support/root.ts';
import { descriptorsOf, filesBelow, groupsOf, mountsOf, processesFor, untilNone } from './machine.ts';
import { createPlace, execute } from './server.ts';

// A thousand runs take as long as the machine is busy; what hangs is found all the same.
vi.setConfig({ testTimeout: 900_000 });

/** Root runs each as a user of its own, which others cannot. */
const sizes = { yourself: isRoot ? 1000 : 250, nobody: 250 };
/** On a busy machine one of 64 runs may have to wait for a processor longer than the usual half minute. */
const policy = '[concurrency]\ntotal = 64\nper_skill = 24\n[limits]\ntimeout = "15m"\n';

interface Call {
  readonly skill: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What a run of that id must come to. */
  expected(id: string): Record<string, unknown>;
}

/** No two of them alike; some fail, and some are refused. */
function callOf(index: number): Call {
  const id = `id-${index}`;
  const text = `${'$(id) "\'\\ ü\n'.repeat(index % 5)}; rm -${index}`;
  const stdin = `in ${index}\n`.repeat(index % 400);
  if (index % 100 === 7) {
    const parameters = { id, text, stdin, code: 'no number' };
    return {
      skill: 'first',
      tool: 'echo',
      parameters,
      expected: () => ({ exit_reason: 'invalid_parameters', stdout: '' }),
    };
  }
  if (index % 12 === 3) {
    const expected = (run: string) => ({ exit_reason: 'exited', exit_code: 7, stdout: said(run), stderr: '|' });
    const [given, own] = [literally(`${listed(['guest.wasm', id, text])}|`), literally(`|${stdin}`)];
    const said = (run: string) => expect.stringMatching(new RegExp(`^${given}[^|]*EXECUTION_ID=${run}[^|]*${own}$`));
    return { skill: 'module', tool: 'run', parameters: { id, text, stdin }, expected };
  }
  const skill = ['first', 'second', 'plain'][index % 3] ?? '';
  const code = index % 6 === 0 ? (index % 90) + 1 : 0;
  const stdout = (run: string) => `${run}|${id}|${text}|${stdin}|${id}`;
  const expected = (run: string) => ({ exit_reason: 'exited', exit_code: code, stdout: stdout(run), stderr: '' });
  const parameters = skill === 'plain' ? { args: [id, text, String(code)], stdin } : { id, text, stdin, code };
  return { skill, tool: 'echo', parameters, expected };
}

/** As they lie in memory; the byte at their ends is none that a text may hold, and comes as the sign for that. */
function listed(words: readonly string[]): string {
  return words.map((word) => `${word}\u{fffd}`).join('');
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** How many files a server has open once that does not change any more. */
async function settledDescriptors({ child }: StdioServer): Promise<number> {
  let last = -1;
  for (let same = 0; same < 10; await pause(50)) {
    const now = descriptorsOf(child.pid ?? 0);
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}

interface Row {
  readonly id: string;
  readonly event: string;
  readonly result: string;
}

describe.each(identities)('executions at once, as %s', (identity) => {
  const size = sizes[identity];

  it(`all of ${size} complete, know of themselves alone, and leave nothing [C4-LIMIT-11 C4-LIMIT-12 C4-AUDIT-01 C4-AUDIT-02 C4-AUDIT-03 C4-CAP-08]`, async () => {
    const place = await createPlace(identity, policy);
    const server = await place.serve(['--detach-after', '600000']);
    const { pid = 0 } = server.child;
    const run = ({ skill, tool, parameters }: Call) => execute(server, skill, tool, parameters);
    // What lasts is there by then: the log, and modules that are started ahead.
    const warming = [0, 1, 2, 3, 15, 27, 39].map((index) => run(callOf(index)));
    for (const one of warming) expect(await one).toHaveProperty('id');
    const before = {
      descriptors: await settledDescriptors(server),
      files: filesBelow(place.temporary),
      processes: processesFor(place.skills).length,
      groups: groupsOf([pid]).length,
    };

    const calls = Array.from({ length: size }, (_, index) => callOf(index));
    const results = await Promise.all(calls.map(run));
    for (const [index, call] of calls.entries()) {
      const result = results[index] ?? {};
      expect(result, `call ${index}`).toMatchObject(call.expected(String(result['id'])));
    }
    expect(new Set(results.map(({ id }) => id)).size).toBe(size);

    // Less than before, where what was set up ahead has been ended meanwhile, because nobody had used it for a minute.
    expect(await settledDescriptors(server)).toBeLessThanOrEqual(before.descriptors);
    expect(filesBelow(place.temporary).filter((file) => !before.files.includes(file))).toEqual([]);
    expect(mountsOf(place.world.root)).toEqual([]);
    expect(processesFor(place.skills).length).toBeLessThanOrEqual(before.processes);
    expect(groupsOf([pid]).length).toBeLessThanOrEqual(before.groups);

    expect(await server.end()).toBe(0);
    await untilNone(() => processesFor(place.skills));
    expect(filesBelow(place.temporary)).toEqual([]);
    expect(groupsOf([pid])).toEqual([]);

    expect((await place.run(['audit', 'verify'])).code).toBe(0);
    const listed = await place.run(['audit', '--json', '--limit', '100000']);
    const { executions } = listed.json<{ executions: readonly Row[] }>();
    const told = new Map(executions.filter(({ event }) => event === 'end').map((row) => [row.id, row.result]));
    expect(told.size).toBe(executions.length);
    expect(told.size).toBe(size + warming.length);
    for (const { id, exit_reason } of results) expect(told.get(String(id))).toBe(exit_reason);
  });
});
