import { describe, expect, it } from 'vitest';
import { askModern, openSession } from '../serve/http.ts';
import { connectStdio, startHttp } from '../support/mcp.ts';
import { auditOf, callOf, executed, lab, longSleep, resultsIn, run, sleepers, tool } from './library.ts';

const failing = {
  exited: { sh: 'echo said; echo "went wrong" >&2; exit 3' },
  timeout: { sh: 'echo begun; setsid sleep "$1" & exec sleep 60', toml: 'timeout = "700ms"' },
  output_limit: { sh: 'yes', toml: 'max_output = "10k"' },
  memory: {
    sh: `node -e 'const a = []; for (let i = 0; i < 50; i++) a.push(Buffer.alloc(1e7, 1)); console.log(a.length)'`,
    toml: 'memory = "96MB"',
  },
} as const;

describe('the result of an execution', () => {
  it('is the output as text, and all that is known as data', async () => {
    const world = lab({ say: 'printf "%s|" "$@"; echo "on the side" >&2' });
    const server = await connectStdio(world, ['serve', '--structured']);
    const { result, told } = await run(server, 'say', '$(id) `id` ; "two  words"');
    expect(result.isError).toBeUndefined();
    expect(result.content).toEqual([
      { type: 'text', text: '$(id) `id` ; "two  words"|' },
      { type: 'text', text: '[stderr]\non the side\n' },
    ]);
    expect(told).toMatchObject({
      skill: 'lab',
      tool: 'say',
      runtime: 'native',
      exit_reason: 'exited',
      exit_code: 0,
      stdout: '$(id) `id` ; "two  words"|',
      stderr: 'on the side\n',
      denials: [],
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      limits: { timeoutMs: 30_000, memoryBytes: 256 * 1024 * 1024, processes: 64, outputBytes: 1024 * 1024 },
    });
    // What is in force is told by what does it.
    for (const what of ['files', 'network', 'processes', 'memory', 'time', 'output', 'scratch'])
      expect(told.enforcement[what], what).toBeTruthy();
    const [row] = await auditOf(world);
    expect(row).toMatchObject({ id: told.id, result: 'exited', exitCode: 0, by: 'mcp' });
  });

  it('is text alone unless --structured asks for more, and says each thing once [C2-ENGINE-19]', async () => {
    const world = lab({
      json: { sh: `echo '{"items": ["needle"]}'`, toml: 'output = "json"' },
      fail: 'echo needle; echo "went wrong" >&2; exit 3',
    });
    const server = await connectStdio(world, ['serve']);
    const listed = (await server.tools()).find(({ name }) => name === tool);
    expect(listed?.outputSchema).toBeUndefined();
    const json = await run(server, 'json');
    expect(json.result).toEqual({ content: [{ type: 'text', text: '{"items": ["needle"]}\n' }] });
    const failed = await run(server, 'fail');
    expect(failed.result).toEqual({ content: expect.any(Array), isError: true });
    expect(failed.text).toBe('needle\n\n[stderr]\nwent wrong\n\nThe tool ended with exit code 3.');
    const structured = await connectStdio(world, ['serve', '--structured']);
    const { outputSchema } = (await structured.tools()).find(({ name }) => name === tool) ?? {};
    expect(outputSchema).toMatchObject({ properties: { value: { anyOf: expect.any(Array) } } });
    const whole = JSON.stringify((await run(structured, 'json')).result);
    expect(whole.match(/needle/g)).toHaveLength(2);
  });

  it('holds data where the tool says that it writes JSON, and text where it writes something else', async () => {
    const server = await connectStdio(lab({ json: { sh: 'echo "$1"', toml: 'output = "json"' } }), [
      'serve',
      '--structured',
    ]);
    expect((await run(server, 'json', '{"a": [1, "ü"]}')).told.value).toEqual({ a: [1, 'ü'] });
    const { result, told } = await run(server, 'json', 'no json');
    expect([result.isError, told.stdout, 'value' in told]).toEqual([undefined, 'no json\n', false]);
  });

  it('is never empty, and never bytes that are no text', async () => {
    const server = await connectStdio(lab({ quiet: 'true', bytes: String.raw`printf '\377\376ok\n'` }), [
      'serve',
      '--structured',
    ]);
    expect((await run(server, 'quiet')).result.content).toEqual([{ type: 'text', text: '' }]);
    const { told } = await run(server, 'bytes');
    expect(told.stdout).toContain('ok\n');
  });
});

describe('a failed execution', () => {
  it('is an error that tells why, what was written, and what to do [C4-ERR-01 C4-LIMIT-09 C4-LIMIT-10]', async () => {
    const world = lab(failing);
    const server = await connectStdio(world, ['serve', '--structured']);
    const seconds = longSleep();
    for (const [reason, message, hint] of [
      ['exited', undefined, undefined],
      ['timeout', 'it took longer than the limit of 700 ms', /raise `timeout` in skill\.toml/],
      ['output_limit', 'it wrote more to stdout than the limit of 10 kB', /raise `max_output`/],
    ] as const) {
      const { result, text, told } = await run(server, reason, seconds);
      expect([result.isError, told.exit_reason, told.message]).toEqual([true, reason, message]);
      if (message === undefined) expect(text).toContain('The tool ended with exit code 3.');
      else expect(text).toContain(`${reason}: ${message}`);
      if (hint === undefined) expect(told).toMatchObject({ exit_code: 3, stdout: 'said\n', stderr: 'went wrong\n' });
      else expect([told.hint, 'exit_code' in told]).toEqual([expect.stringMatching(hint), false]);
      if (reason === 'timeout') expect([text, sleepers(seconds)]).toEqual([expect.stringContaining('begun'), []]);
      if (reason === 'output_limit') expect(told.stdout).toMatch(/^(y\n){1000,}/);
      expect(told.limits).toBeDefined();
    }
    expect(await resultsIn(world)).toEqual(['exited', 'timeout', 'output_limit']);
  });

  it('is an error where it takes more memory than it may [C4-LIMIT-04 C4-LIMIT-10]', async () => {
    const server = await connectStdio(lab(failing), ['serve', '--structured']);
    const { result, text, told } = await run(server, 'memory');
    expect([result.isError, told.stdout]).toEqual([true, '']);
    // Without a group of its own, a process is only refused more, and ends as it likes.
    if (!told.enforcement['memory']?.includes('cgroup')) return;
    const message = 'it used more memory than the limit of 96 MB';
    expect(told).toMatchObject({
      exit_reason: 'memory',
      message,
      hint: expect.stringMatching(/raise `memory` in skill/),
    });
    expect(text).toContain(`memory: ${message}`);
  });

  it('is an error where nothing ran: wrong parameters, or a program that is not to be had [C4-ERR-01]', async () => {
    const world = lab({ say: 'echo hi' });
    const manifest = [
      '[skill]\nruntime = "native"',
      '[tools.wrong]\ncommand = ["sh", "scripts/say.sh", "{n}"]',
      'parameters.n = { type = "integer", required = true }',
      '[tools.absent]\ncommand = ["no-such-program"]',
    ].join('\n');
    world.write('project/skills/lab/skill.toml', manifest);
    world.write('home/.config/repertoire/policy.toml', '[commands]\nfree = ["sh", "no-such-program"]\n');
    const server = await connectStdio(world, ['serve', '--structured']);
    const call = { skill_name: 'lab', tool_name: 'wrong', parameters: { n: 'x' } };
    const wrong = executed(await server.call(tool, call));
    expect(wrong.told).toMatchObject({
      exit_reason: 'invalid_parameters',
      message: expect.stringMatching(/^n must be/),
    });
    const absent = await run(server, 'absent');
    expect(absent.told).toMatchObject({
      exit_reason: 'engine_error',
      message: 'no-such-program is not installed on this machine',
      hint: expect.stringMatching(/^Install no-such-program/),
    });
    for (const { result, text, told } of [wrong, absent]) {
      expect([result.isError, text]).toEqual([true, expect.stringContaining(`${told.exit_reason}: ${told.message}`)]);
    }
    expect(await resultsIn(world)).toEqual(['invalid_parameters', 'engine_error']);
  });

  it('is raised with `--errors protocol`, in either era and over either transport [S4-ERR-02 C4-ERR-02]', async () => {
    const world = lab({ ...failing, fine: 'echo fine' });
    const server = await connectStdio(world, ['serve', '--errors', 'protocol']);
    const { url } = await startHttp(world, ['serve', '--transport', 'http', '--errors', 'protocol']);
    const session = await openSession(url);
    const calls = [
      () => server.ask('tools/call', callOf('exited')),
      async () => (await session.ask('tools/call', callOf('exited'))).messages[0],
      async () => (await askModern(url, 'tools/call', callOf('exited'))).messages[0],
    ];
    for (const call of calls) {
      const details = expect.stringMatching(
        /^Tool execution failed\n(.*\n)*The tool ended with exit code 3\.\n(.*\n)*went wrong\n/,
      );
      expect((await call())?.error).toEqual({ code: -32603, message: 'Internal error', data: { details } });
    }
    const { error } = await server.ask('tools/call', callOf('timeout'));
    expect(error?.data).toEqual({ details: expect.stringContaining('timeout: it took longer') });
    expect((await run(server, 'fine')).result.isError).toBeUndefined();
    expect(await resultsIn(world)).toEqual(['exited', 'exited', 'exited', 'timeout', 'exited']);
  });
});

describe('an execution of what is not there', () => {
  it('names the tool of this server that loads a skill without tools', async () => {
    const world = lab({ say: 'echo hi' });
    world.skill('home/.claude/skills/plain');
    for (const [args, way] of [
      [['serve'], 'Load it with the `skill` tool of the MCP server repertoire, and follow its text instead.'],
      [['serve', '--tools', 'skill-engine/execute'], 'Load it and follow its text instead.'],
    ] as const) {
      const { isError, content } = await (await connectStdio(world, args)).call(tool, {
        skill_name: 'plain',
        tool_name: 'x',
        parameters: {},
      });
      const text = `Skill 'plain' has no tools, and so no 'x'\n\n${way}`;
      expect({ isError, content }).toEqual({ isError: true, content: [{ type: 'text', text }] });
    }
  });

  const absent = [
    [{ skill_name: 'nothing' }, /^Skill 'nothing' not found\./],
    [{ skill_name: '../lab' }, /is not a skill name/],
    [{ tool_name: 'nothing' }, /^Skill 'lab' has no tool 'nothing'\n\nIt has say\.$/],
    [{ instance: 'nothing' }, /^Skill 'lab' has no instance 'nothing'/],
  ] as const;

  it('is the error -32602 with `--errors protocol`, and leaves its record [C4-ERR-03 C4-AUDIT-10]', async () => {
    const world = lab({ say: 'echo hi' });
    const server = await connectStdio(world, ['serve', '--errors', 'protocol']);
    for (const [change, details] of absent) {
      const args = { skill_name: 'lab', tool_name: 'say', parameters: { password: 'hunter2' }, ...change };
      const { error } = await server.ask('tools/call', { name: tool, arguments: args });
      expect(error).toEqual({
        code: -32602,
        message: 'Invalid params',
        data: { details: expect.stringMatching(details) },
      });
    }
    const wrong = await server.ask('tools/call', callOf('say', undefined, { parameters: { other: 1 } }));
    expect(wrong.error).toMatchObject({ code: -32602, data: { details: expect.stringContaining('"other"') } });
    const rows = await auditOf(world);
    expect(rows.map(({ skill, result, by }) => [skill, result, by])).toEqual([
      ['nothing', 'not_found', 'mcp'],
      ['../lab', 'not_found', 'mcp'],
      ['lab', 'not_found', 'mcp'],
      ['lab', 'not_found', 'mcp'],
      ['lab', 'invalid_parameters', 'mcp'],
    ]);
    expect(JSON.stringify(rows)).not.toContain('hunter2');
    expect((await world.run(['audit', '--result', 'not_found', '--json'])).json()).toMatchObject({
      executions: { length: 4 },
    });
    expect((await world.run(['audit', 'verify'])).code).toBe(0);
  });

  it('leaves its record from the command line too, but not where it was only to be shown [C4-AUDIT-10]', async () => {
    const world = lab({ say: 'echo hi' });
    for (const target of ['nothing:say', 'lab:nothing', 'nothing']) {
      expect((await world.run(['run', target, '--param', 'token=hunter2'])).code).toBe(1);
      expect((await world.run(['run', target, '--dry-run'])).code).toBe(1);
    }
    const rows = await auditOf(world);
    expect(rows.map(({ skill, tool: name, result, by }) => [skill, name, result, by])).toEqual([
      ['nothing', 'say', 'not_found', 'cli'],
      ['lab', 'nothing', 'not_found', 'cli'],
      ['nothing', '', 'not_found', 'cli'],
    ]);
    expect(JSON.stringify(rows)).not.toContain('hunter2');
    const wrong = await world.run(['run', 'lab:say', '--param', 'other=1']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^invalid_parameters: "other" is not a parameter of this tool/),
    ]);
  });
});

it('a run that streams may take longer than the default timeout [S4-TIME-03]', async () => {
  // The default is made short by the operator, so that nobody has to wait for it here.
  const world = lab({
    default: 'for i in 1 2 3 4 5 6; do echo $i; sleep 0.5; done',
    longer: { sh: 'for i in 1 2 3 4; do echo $i; sleep 0.5; done', toml: 'timeout = "20s"' },
  });
  world.write('home/.config/repertoire/policy.toml', '[limits]\ntimeout = "1s"\n');
  await world.run(['grant', 'lab', '--yes']);
  const server = await connectStdio(world, ['serve', '--structured']);
  const [short, long] = await Promise.all([run(server, 'default'), run(server, 'longer')]);
  expect([short.told.exit_reason, short.told.limits?.['timeoutMs']]).toEqual(['timeout', 1000]);
  expect([long.told.exit_reason, long.told.stdout]).toEqual(['exited', '1\n2\n3\n4\n']);
  expect(long.told.duration_ms).toBeGreaterThan(1900);
});

it('`instance` selects the instance of the skill to run [C2-ENGINE-11]', async () => {
  const world = lab(
    { where: 'echo "$CLUSTER $MODE"' },
    'default_instance = "test"\n[env]\nMODE = "plain"\nCLUSTER = "none"\n' +
      '[instances.test]\nenv = { CLUSTER = "test-cluster" }\n[instances.live]\nenv = { CLUSTER = "live-cluster", MODE = "careful" }',
  );
  const server = await connectStdio(world, ['serve', '--structured']);
  expect((await run(server, 'where', undefined, { instance: 'live' })).text).toBe('live-cluster careful\n');
  expect((await run(server, 'where', undefined, { instance: 'test' })).text).toBe('test-cluster plain\n');
  expect((await run(server, 'where')).text).toBe('test-cluster plain\n');
  const unknown = await run(server, 'where', undefined, { instance: 'live2' });
  expect([unknown.result.isError, unknown.text]).toEqual([
    true,
    expect.stringMatching(/no instance 'live2'\n\nIt has test, live/),
  ]);
});
