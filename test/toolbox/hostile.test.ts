import { describe, expect, it } from 'vitest';
import { processorSeconds } from '../support/processor-time.ts';
import { createWorld } from '../support/world.ts';
import { toolboxIn, toolboxWith } from './toolbox.ts';

/** A schema that takes twice as long to look at with each line. */
function explosive(tool: string): string {
  const lines = Array.from(
    { length: 40 },
    (_, n) => `d${n} = { allOf = [{ "$ref" = "#/$defs/d${n + 1}" }, { "$ref" = "#/$defs/d${n + 1}" }] }`,
  );
  return `[tools.${tool}]\ncommand = ["ls"]\n[tools.${tool}.parameters]\ntype = "object"\n"$ref" = "#/$defs/d0"\nproperties = {}\n[tools.${tool}.parameters."$defs"]\n${lines.join('\n')}\nd40 = true\n`;
}

describe('what strangers write takes no more than a moment', () => {
  it.each([
    ['very many unknown keys', () => Array.from({ length: 10_000 }, (_, n) => `key_number_${n} = 1`).join('\n')],
    ['very much text', () => `# ${'x'.repeat(300_000)}`],
    ['very many tools', () => Array.from({ length: 8000 }, (_, n) => `[tools.t${n}]\ncommand = ["ls"]`).join('\n')],
    ['very many hosts', () => `[capabilities]\nnetwork = [${Array.from({ length: 40_000 }, () => '"*"').join(', ')}]`],
    ['very deep lists', () => `a = ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['a very long command', () => `[tools.a]\ncommand = "${'a '.repeat(100_000)}"`],
    ['braces without end', () => `[tools.a]\ncommand = ["${'{'.repeat(200_000)}"]`],
    ['schemas that explode', () => Array.from({ length: 60 }, (_, n) => explosive(`t${n}`)).join('\n')],
  ])('%s', async (_, manifest) => {
    const text = manifest();
    const read = async () => {
      const { problems, tools } = await toolboxWith(createWorld(), text);
      expect(problems.length).toBeLessThanOrEqual(50);
      expect(tools.length).toBeLessThanOrEqual(200);
    };
    expect(await processorSeconds(read)).toBeLessThan(20);
  });

  it('nor does a SKILL.md', async () => {
    const world = createWorld();
    for (const line of [
      '### x',
      `### ${' #'.repeat(50_000)}`,
      `- \`a\` ${'('.repeat(50_000)}`,
      '**Parameters:**',
      '```',
    ]) {
      world.skill('project/skills/demo', { body: `## Tools\n${`${line}\n`.repeat(20)}` });
      expect(await processorSeconds(() => toolboxIn(world, 'project/skills/demo'))).toBeLessThan(10);
    }
  });

  it('nor the top of a script', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    for (const [index, text] of [
      '#'.repeat(5000),
      '# # '.repeat(2000),
      '/*'.repeat(3000),
      '"""'.repeat(2000),
    ].entries()) {
      world.write(`project/skills/demo/scripts/s${index}.sh`, text);
    }
    const { tools } = await toolboxIn(world, 'project/skills/demo');
    expect(tools).toHaveLength(4);
    for (const { description } of tools) expect(description.length).toBeLessThanOrEqual(300);
  });
});
