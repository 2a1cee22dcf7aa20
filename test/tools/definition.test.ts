import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { skillTool } from './catalogue.ts';

describe('the tool skill as it is listed', () => {
  it('has its name, its title and the four annotations, over stdio [S3-META-01 S3-META-02 S3-META-03 S3-META-04 S3-META-05 S3-META-06 S3-META-07 C2-SKILL-02 C2-SKILL-03 S1-TOOL-01]', async () => {
    const server = await connectStdio(createWorld());
    const [tool] = await server.tools();
    expect(tool).toMatchObject({ name: 'skill', title: 'Load Skill' });
    expect(tool?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
  });

  it('requires a name, which is not empty, and knows of nothing but supporting files besides [S1-TOOL-03 S3-INPUT-01 S3-INPUT-03 C2-SKILL-01]', async () => {
    const { inputSchema } = await skillTool(await connectStdio(createWorld()));
    expect(inputSchema).toMatchObject({ type: 'object', required: ['name'], additionalProperties: false });
    expect(inputSchema.properties['name']).toEqual({
      type: 'string',
      minLength: 1,
      description: 'Name of the skill to load (case-insensitive)',
    });
    expect(inputSchema.properties['file']).toMatchObject({ type: 'string', minLength: 1 });
    expect(inputSchema.properties['offset']).toMatchObject({ type: 'integer', minimum: 0 });
    expect(Object.keys(inputSchema.properties)).toEqual(['name', 'file', 'offset']);
  });

  it('names in its output schema all that it answers', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.write('home/.claude/skills/pdf/long.txt', 'x'.repeat(100_000));
    const server = await connectStdio(world, ['mcp', '--structured']);
    const { outputSchema } = await skillTool(server);
    const known = Object.keys(outputSchema?.['properties'] ?? {});
    for (const args of [{ name: 'pdf' }, { name: 'pdf', file: 'long.txt' }]) {
      const { structuredContent = {} } = await server.call('skill', args);
      expect(Object.keys(structuredContent)).toEqual(expect.arrayContaining(outputSchema?.['required'] as string[]));
      expect(known).toEqual(expect.arrayContaining(Object.keys(structuredContent)));
    }
  });
});

/** The instructions as they are laid down, with `name` where another agent says `command`. */
const instructions = `Execute a skill within the main conversation

<skills_instructions>
When users ask you to perform tasks, check if any of the available skills below can help complete the task more effectively. Skills provide specialized capabilities and domain knowledge.

How to use skills:
- Invoke skills using this tool with the skill name only (no arguments)
- When you invoke a skill, you will see <command-message>The "{name}" skill is loading</command-message>
- The skill's prompt will expand and provide detailed instructions on how to complete the task
- Examples:
  - \`name: "pdf"\` - invoke the pdf skill
  - \`name: "xlsx"\` - invoke the xlsx skill
  - \`name: "ms-office-suite:pdf"\` - invoke using fully qualified name

Important:
- Only use skills listed in <available_skills> below
- Do not invoke a skill that is already running
- Do not use this tool for built-in CLI commands (like /help, /clear, etc.)
</skills_instructions>

`;

describe('the words around the catalogue', () => {
  it('are the instructions, word for word, and then the list [S3-DESC-02 S3-DESC-03 S3-DESC-04 S3-DESC-05 S3-DESC-06 S3-DESC-07 S3-DESC-08 S3-DESC-09 S3-DESC-10 S3-DESC-11 S3-DESC-12 S0-LIST-04 C2-CATALOG-01]', async () => {
    const world = createWorld();
    world.skill('project/.claude/skills/pdf');
    const { description } = await skillTool(await connectStdio(world));
    expect(description.slice(0, instructions.length)).toBe(instructions);
    expect(description.slice(instructions.length)).toMatch(/^<available_skills>\n<skill>\n<name>pdf<\/name>\n/);
    expect(description).not.toContain('`command');
  });

  it('end with notes on where skills are found and how to tell them apart [S0-LIST-05 C2-CATALOG-02]', async () => {
    const { description } = await skillTool(await connectStdio(createWorld()));
    const notes = description.slice(description.indexOf('Discovery notes:'));
    for (const place of ['--skill-dir', '.agents/skills', '.claude/skills', '.codex/skills', './skills', 'plugins']) {
      expect(notes).toContain(place);
    }
    expect(notes).toMatch(/case-insensitive/);
    expect(notes).toMatch(/provider:name \(codex:pdf\)/);
    expect(notes).toMatch(/plugin:name \(example:pdf\)/);
    expect(notes).toMatch(/`file` argument/);
  });

  it('bring all that matters within the first 2,048 characters, and skills among it [C2-CATALOG-14]', async () => {
    const world = createWorld();
    for (let i = 0; i < 100; i++) world.skill(`home/.claude/skills/skill-${i}`, { description: 'word '.repeat(40) });
    const { description } = await skillTool(await connectStdio(world));
    const start = description.slice(0, 2048);
    expect(start).toContain('</skills_instructions>');
    expect(start).toContain('This list is shortened');
    expect(start).toMatch(/<available_skills>\n<skill>\n<name>skill-0<\/name>\n<description>word .*<\/description>\n/);
  });
});
