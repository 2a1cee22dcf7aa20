import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hostEnvironment } from '../../src/core/environment.ts';
import { type ToolboxHelp, toolboxOf } from '../../src/run/tools/toolbox.ts';
import type { SkillTool, Slot, Toolbox } from '../../src/run/tools/types.ts';
import type { World } from '../support/world.ts';

/** The tools of a skill in a folder of the world. */
export function toolboxIn(world: World, folder: string, help: ToolboxHelp = {}): Promise<Toolbox> {
  const path = world.path(folder);
  const name = basename(path);
  const environment = hostEnvironment({ cwd: world.project, home: world.home, env: {} });
  return toolboxOf({ id: realpathSync(path), name, fullName: name, file: join(path, 'SKILL.md') }, environment, help);
}

/** Of a skill that has nothing but this manifest and these files. */
export function toolboxWith(
  world: World,
  manifest: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Toolbox> {
  world.skill('project/skills/demo');
  world.write('project/skills/demo/skill.toml', manifest);
  for (const [path, text] of Object.entries(files)) world.write(`project/skills/demo/${path}`, text);
  return toolboxIn(world, 'project/skills/demo');
}

/** `line: message` of each problem. */
export function problemsOf({ problems }: Toolbox): string[] {
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

/** The one tool there is. */
export function onlyTool({ tools, problems }: Toolbox): SkillTool {
  const [tool, ...others] = tools;
  if (tool === undefined || others.length > 0) throw new Error(`${tools.length} tools; ${JSON.stringify(problems)}`);
  return tool;
}

/** The words of a command, with its parameters in braces. */
export function wordsOf(tool: SkillTool): string[] {
  const { work } = tool;
  return 'command' in work ? work.command.map(wordOf) : [];
}

function wordOf({ before, parameter, after, flag, isSwitch, isFile }: Slot): string {
  if (isSwitch) return `{${parameter}?${before}}`;
  const word = `${isFile ? '/' : ''}${before}${parameter === null ? '' : `{${parameter}}`}${after}`;
  return flag === null ? word : `${flag} ${word}`;
}
