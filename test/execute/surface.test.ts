import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { clientOf, clientOverHttp, clientOverStdio, eras } from '../extension/clients.ts';
import { connectStdio, type ToolResult, toolNames } from '../support/mcp.ts';
import { createWorld, program, type World } from '../support/world.ts';
import { executed, lab, tool, toolSkill } from './library.ts';

const example = { skill_name: 'kubernetes', tool_name: 'get', parameters: { resource: 'pods' } };

/** A world with the skill that comes with the product. */
function withKubernetes(): World {
  const world = createWorld();
  const bundled = fileURLToPath(new URL('../../skills/kubernetes', import.meta.url));
  cpSync(bundled, world.folder('project/skills/kubernetes'), { recursive: true });
  return world;
}

describe('what `serve` lists', () => {
  it('are all six tools, and one is about executing a skill tool [C2-CMD-04 S4-METHOD-02]', async () => {
    const server = await connectStdio(createWorld(), ['serve']);
    const tools = await server.tools();
    expect(tools.map(({ name }) => name)).toEqual(toolNames);
    expect(tools.at(-1)?.description).toMatch(/^Execute a skill tool\b/);
    // No other start command lists it, and what is not listed cannot be called.
    const plain = await connectStdio(lab({ say: 'echo hi' }), ['mcp']);
    expect((await plain.tools()).map(({ name }) => name)).toEqual(['skill']);
    const args = { skill_name: 'lab', tool_name: 'say', parameters: {} };
    expect((await plain.ask('tools/call', { name: tool, arguments: args })).error?.code).toBe(-32602);
  });

  it('has the documented schema of `skill-engine/execute`, in either era [S4-EXEC-01 S4-EXEC-02 S4-EXEC-03 S4-EXEC-04 C2-ENGINE-10]', async () => {
    for (const era of eras) {
      const client = await clientOverStdio(createWorld(), era);
      const listed = (await client.listTools()).tools.find(({ name }) => name === tool);
      expect(listed?.inputSchema).toMatchObject({
        type: 'object',
        properties: {
          skill_name: { type: 'string', description: 'Name of the skill to execute' },
          tool_name: { type: 'string', description: 'Name of the tool within the skill' },
          parameters: { type: 'object', description: 'Tool-specific parameters' },
        },
        required: ['skill_name', 'tool_name', 'parameters'],
      });
      const options = ['instance', 'max_output', 'grep', 'head', 'tail', 'jq', 'format'];
      expect(Object.keys(listed?.inputSchema.properties ?? {})).toEqual(expect.arrayContaining(options));
    }
  });

  it('says truly what each tool may do', async () => {
    const tools = await (await connectStdio(createWorld(), ['serve'])).tools();
    for (const { name, annotations } of tools) {
      const executes = name === tool;
      expect(annotations, name).toMatchObject({
        readOnlyHint: !executes,
        destructiveHint: executes,
        idempotentHint: !executes,
        openWorldHint: executes,
      });
    }
  });

  it('refuses a call without one of the three, or with one of another kind [S4-EXEC-04]', async () => {
    const server = await connectStdio(lab({ say: 'echo hi' }), ['serve']);
    for (const [change, words] of [
      [{ skill_name: undefined }, '`skill_name` is required'],
      [{ tool_name: undefined }, '`tool_name` is required'],
      [{ parameters: undefined }, '`parameters` is required'],
      [{ parameters: 'value=1' }, '`parameters` must be an object'],
      [{ skill_name: 7 }, '`skill_name` must be a string'],
      [{ head: -1 }, '`head` must be at least 0'],
      [{ format: 'xml' }, '`format` must be one of text, json'],
    ] as const) {
      const args = { skill_name: 'lab', tool_name: 'say', parameters: {}, ...change };
      const { error } = await server.ask('tools/call', { name: tool, arguments: args });
      expect([error?.code, error?.message]).toEqual([-32602, expect.stringContaining(words)]);
    }
  });
});

describe('the documented example', () => {
  it('is answered with the output of the tool, in either era and over either transport [S4-METHOD-03 S4-METHOD-04]', async () => {
    const world = withKubernetes();
    for (const era of eras) {
      for (const connect of [clientOverStdio, clientOverHttp]) {
        const client = await connect(world, era);
        const { content, isError } = (await client.callTool({ name: tool, arguments: example })) as ToolResult;
        expect(isError ?? false).toBe(false);
        expect(content.map(({ type }) => type)).toEqual(['text']);
        const { items } = JSON.parse(content[0]?.text ?? '') as { items: { kind?: string; name?: string }[] };
        expect(items.length).toBeGreaterThan(0);
      }
    }
  });

  it('works with the client library and `skill serve` [S4-TEST-03]', async () => {
    const world = withKubernetes();
    world.link(program, 'bin/skill');
    const { HOME = '', PATH = '' } = world.environment();
    const env = { HOME, PATH: `${world.path('bin')}:${PATH}` };
    const client = clientOf('legacy');
    await client.connect(
      new StdioClientTransport({ command: 'skill', args: ['serve'], cwd: world.project, env, stderr: 'ignore' }),
    );
    const { content } = (await client.callTool({ name: tool, arguments: example })) as ToolResult;
    expect(content[0]?.text).toMatch(/"items": \[/);
  });

  it('gives the same as data, and a part of it when asked', async () => {
    const server = await connectStdio(withKubernetes(), ['serve', '--structured']);
    const whole = executed(await server.call(tool, example));
    expect(whole.told).toMatchObject({ skill: 'kubernetes', tool: 'get', exit_reason: 'exited', exit_code: 0 });
    expect(whole.told.value).toEqual(JSON.parse(whole.text));
    const count = executed(await server.call(tool, { ...example, jq: '.items | length' }));
    expect(count.text).toBe(`Output:\n${(whole.told.value as { items: unknown[] }).items.length}`);
  });
});

it('any tool of any skill can be run [S4-EXEC-05]', async () => {
  const world = createWorld();
  toolSkill(world, 'first', { one: 'echo first one', two: 'echo first two' });
  toolSkill(world, 'second', { one: 'echo second one' });
  world.skill('home/.claude/skills/plain');
  world.write('home/.claude/skills/plain/scripts/hello.sh', '#!/bin/sh\necho plain hello "$@"\n');
  const server = await connectStdio(world, ['serve']);
  for (const [skill_name, tool_name, parameters] of [
    ['first', 'one', {}],
    ['first', 'two', {}],
    ['second', 'one', {}],
    ['plain', 'hello', { args: ['a b', 'c'] }],
  ] as const) {
    const { text } = executed(await server.call(tool, { skill_name, tool_name, parameters }));
    expect(text).toMatch(new RegExp(`^${skill_name} ${tool_name}`));
    if (skill_name === 'plain') expect(text).toBe('plain hello a b c\n');
  }
  for (const [skill_name, tool_name, words] of [
    ['nobody', 'one', "Skill 'nobody' not found"],
    ['second', 'two', "Skill 'second' has no tool 'two'\n\nIt has one."],
  ] as const) {
    const { result, text } = executed(await server.call(tool, { skill_name, tool_name, parameters: {} }));
    expect([result.isError, text]).toEqual([true, expect.stringContaining(words)]);
  }
});
