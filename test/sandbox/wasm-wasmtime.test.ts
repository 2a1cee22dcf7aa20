import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../src/run/sandbox/linux/system-view.ts';
import { program } from './guests/programs.ts';
import { createStage, type Stage } from './guests/stage.ts';

let stage: Stage;
afterEach(() => stage.end());

/** A stand-in that says how it was called and what it sees. */
const standIn = `#!/bin/sh
for argument in "$@"; do printf '<%s>' "$argument"; done
printf '|%s|' "$TOKEN"
cat /skill/data.txt
printf '|'
cat
ls /proc 2>/dev/null
echo said >&2
exit 5
`;

function withStandIn(script: string): void {
  const first = createStage();
  const path = join(first.folder('bin'), 'wasmtime');
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  const second = createStage({ engine: 'wasmtime', wasmtime: path });
  stage = { ...second, end: () => Promise.all([first.end(), second.end()]).then(() => undefined) };
}

describe('wasmtime, where it was chosen', () => {
  it('is called with the folders, the limits and the arguments of the run, in the sandbox', async () => {
    withStandIn(standIn);
    const source = stage.folder('granted');
    const result = await stage.run(await program('echo'), {
      args: ['a b', '--env', ''],
      env: { TOKEN: 'hidden' },
      stdin: Buffer.from('input'),
      mounts: [{ source, target: '/data', access: 'read' }],
    });
    expect(result).toMatchObject({ reason: 'exited', exitCode: 5, stderr: 'said\n' });
    const [words, token, data, input] = result.stdout.split('|');
    expect(words).toMatch(/^<run><-W><max-memory-size=67108864><--dir><\/skill::\/skill><--dir><\/tmp::\/tmp>/);
    expect(words).toContain('<--dir></data::/data><--dir></skill::.><--env><TOKEN><--argv0>');
    expect(words).toMatch(/<\/engine\/module\.wasm><a b><--env><>$/);
    expect([token, data, input]).toEqual(['hidden', 'data of the skill', 'input']);
  });

  it('is ended like any other program', async () => {
    withStandIn('#!/bin/sh\nwhile :; do :; done\n');
    expect(await stage.run(await program('nothing'), { limits: { timeoutMs: 500 } })).toMatchObject({
      reason: 'timeout',
    });
  });

  it('is said to be missing where it is', async () => {
    stage = createStage({ engine: 'wasmtime' });
    const result = await stage.run(await program('nothing'));
    if (findProgram('wasmtime') === null) expect(result.message).toContain('wasmtime.dev');
    else expect(result).toMatchObject({ reason: 'exited', exitCode: 0 });
  });

  it('is not used where there is no sandbox', async () => {
    stage = createStage({ engine: 'wasmtime', isolation: 'memory' });
    const result = await stage.run(await program('nothing'));
    expect(result).toMatchObject({ reason: 'engine_error' });
    expect(result.message).toContain('bubblewrap');
  });
});
