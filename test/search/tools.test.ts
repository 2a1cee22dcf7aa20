import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import type { World } from '../support/world.ts';
import { asked, find, hitsFor, library, librarySize } from './library.ts';

/** Writes the manifest of a skill that declares one tool. */
function declare(world: World, skill: string, tool: string, description: string, more = ''): void {
  const command = `command = "echo {text}"\n[tools.${tool}.parameters]\ntext = { type = "string", required = true }\n`;
  const text = `[skill]\nname = "${skill}"\nversion = "1.0.0"\n\n[tools.${tool}]\ndescription = "${description}"\n${command}${more}`;
  writeFileSync(world.path(`project/skills/${skill}/skill.toml`), text);
}

function script(world: World, skill: string, file: string, text: string): void {
  mkdirSync(world.path(`project/skills/${skill}/scripts`), { recursive: true });
  writeFileSync(world.path(`project/skills/${skill}/scripts/${file}`), text, { mode: 0o755 });
}

describe('tools of skills', () => {
  it('are found by what a manifest says of them, with the call that runs the best [C2-ENGINE-07 C2-CATALOG-17]', async () => {
    const world = library();
    declare(world, 'invoice-writer', 'walrus-census', 'Counts walruses on a beach.');
    const server = await connectStdio(world, ['serve']);
    const [best] = await hitsFor(server, 'how many walruses are there');
    expect(best).toMatchObject({
      name: 'invoice-writer',
      tools: ['walrus-census'],
      call: { server: 'repertoire', name: 'skill', arguments: { name: 'invoice-writer' } },
      execute: {
        server: 'repertoire',
        name: 'skill-engine/execute',
        arguments: { skill_name: 'invoice-writer', tool_name: 'walrus-census', parameters: { text: '<string>' } },
      },
    });
    const { content } = await asked(server, 'how many walruses are there');
    expect(content[0]?.text).toMatch(
      /^\d+ skills? for .*\. Load one by its name with the `skill` tool of the MCP server repertoire:\n/,
    );
    expect(content[0]?.text).toContain('Tools: walrus-census; run with skill-engine/execute {"skill_name"');
  });

  it('are found by the names of scripts, and by what their first lines say [C2-ENGINE-07]', async () => {
    const world = library();
    script(world, 'image-resize', 'frobnicate_pixels.py', '"""Turns sepia photographs around."""\nprint(1)\n');
    const server = await connectStdio(world, ['serve']);
    const byName = await hitsFor(server, 'frobnicate');
    expect(byName[0]).toMatchObject({ name: 'image-resize', tools: ['frobnicate_pixels'] });
    const byText = await hitsFor(server, 'sepia');
    expect(byText[0]).toMatchObject({ name: 'image-resize', tools: ['frobnicate_pixels'] });
  });

  it('are found by their meaning [C2-ENGINE-07]', async () => {
    const world = library();
    const query = 'convert euros into dollars';
    const [before] = (await find(world, query)).results;
    expect(before?.name).not.toBe('unit-tests');
    declare(world, 'unit-tests', 'exchange', 'Turns an amount of money of one currency to that of another.');
    const [after] = (await find(world, query)).results;
    expect(after).toMatchObject({ name: 'unit-tests', weak: false, tools: ['exchange'], matchedBy: ['meaning'] });
  });

  it('raise their skill by a meaning that shares no word with the question [C2-ENGINE-07]', async () => {
    const world = library();
    const query = 'measure the heartbeat of a hospital patient';
    const before = (await find(world, query)).results.find(({ name }) => name === 'unit-tests');
    declare(world, 'unit-tests', 'cardiogram', 'Records the pulse and blood pressure of people in medical care.');
    const after = (await find(world, query)).results.find(({ name }) => name === 'unit-tests');
    // Both are weak, and what chance brings is all but taken from such scores: so the one is told by the other.
    expect(after?.score).toBeGreaterThan(2 * (before?.score ?? 1));
  });

  it('are found as they are now, at the cost of what changed [C2-ENGINE-07]', async () => {
    const world = library();
    const server = await connectStdio(world, ['serve']);
    const found = async (query: string) => (await hitsFor(server, query)).filter(({ tools }) => tools !== undefined);
    expect(await found('zeppelin')).toEqual([]);
    declare(world, 'log-triage', 'fly', 'Steers a zeppelin.');
    expect(await found('zeppelin')).toMatchObject([{ name: 'log-triage', tools: ['fly'] }]);
    declare(world, 'log-triage', 'fly', 'Steers a bobsleigh.');
    expect(await found('zeppelin')).toEqual([]);
    expect(await found('bobsleigh')).toMatchObject([{ name: 'log-triage', tools: ['fly'] }]);
    rmSync(world.path('project/skills/log-triage/skill.toml'));
    expect(await found('bobsleigh')).toEqual([]);
    await server.end();

    const added = async () => (await find(world, 'bobsleigh')).index.added;
    await added();
    expect(await added()).toBe(0);
    declare(world, 'csv-profiler', 'skate', 'Steers a bobsleigh.');
    expect([await added(), await added()]).toEqual([1, 0]);
    script(world, 'csv-profiler', 'one.sh', '#!/bin/sh\n# Counts.\n');
    expect([await added(), await added()]).toEqual([1, 0]);
    script(world, 'csv-profiler', 'one.sh', '#!/bin/sh\n# Counts sheep.\n');
    expect([await added(), await added()]).toEqual([1, 0]);
    rmSync(world.path('project/skills/csv-profiler/scripts'), { recursive: true });
    rmSync(world.path('project/skills/csv-profiler/skill.toml'));
    expect([await added(), await added()]).toEqual([1, 0]);
  });

  it('are shown where they fit, a few of them, and under the name that is listed', async () => {
    const world = library();
    const tools = ['count', 'paint', 'feed', 'wash'].map(
      (verb) => `[tools.${verb}]\ndescription = "Can ${verb} any walrus."\ncommand = "echo ${verb}"\n`,
    );
    declare(world, 'invoice-writer', 'unrelated', 'Adds taxes.', tools.join('\n'));
    const server = await connectStdio(world, ['serve', '--tool-names', 'portable']);
    const [best] = await hitsFor(server, 'paint a walrus');
    expect(best?.tools).toHaveLength(3);
    expect(best?.tools?.[0]).toBe('paint');
    expect(best?.execute?.name).toBe('skill_engine_execute');
    const others = await connectStdio(world, ['serve', '--tools', 'skill,skill-engine/search_skills']);
    const [hit] = await hitsFor(others, 'paint a walrus');
    expect(hit?.tools?.[0]).toBe('paint');
    expect(hit?.execute).toBeUndefined();
    const printed = await world.run(['search', 'paint', 'a', 'walrus']);
    expect(printed.stdout).toMatch(/tools: paint/);
  });

  it('do not keep a skill from being found where they are wrong', async () => {
    const world = library();
    writeFileSync(world.path('project/skills/pdf-merge/skill.toml'), '[tools\nnonsense');
    mkdirSync(world.path('project/skills/image-resize/skill.toml'));
    writeFileSync(world.path('project/skills/log-triage/scripts'), 'not a folder');
    const { results, index } = await find(world, 'merge pdf files');
    expect([results[0]?.name, index.ready]).toEqual(['pdf-merge', librarySize]);
  });

  it('explain their part of a score', async () => {
    const world = library();
    declare(world, 'invoice-writer', 'census', 'Counts walruses on a beach.');
    const [best] = (await find(world, 'walrus', '--explain')).results;
    const [word] = best?.explanation?.words ?? [];
    expect(Object.keys(word?.fields ?? {})).toEqual(['tools']);
    const sum = Object.values(word?.fields ?? {}).reduce((total, part) => total + part, 0);
    expect(Math.abs(sum - (best?.scores.words ?? 0))).toBeLessThan(0.01);
  });

  it('give no score where they fit by chance', async () => {
    const world = library();
    declare(world, 'invoice-writer', 'compare', 'Compares two texts and marks what was inserted and removed.');
    const { results } = await find(world, 'dark mode', '--explain');
    const hit = results.find(({ name }) => name === 'invoice-writer');
    expect([hit?.weak, hit?.explanation?.words.length]).toEqual([true, 2]);
    expect(hit?.explanation).not.toHaveProperty('tool');
  });

  it('are not what the exact search is about', async () => {
    const world = library();
    declare(world, 'invoice-writer', 'census', 'Counts walruses on a beach.');
    const exact = (await world.run(['search', '--exact', '--json', 'walruses'])).json<{ total: number }>();
    expect(exact.total).toBe(0);
  });
});
