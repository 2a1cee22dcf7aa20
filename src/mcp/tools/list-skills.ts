import type { Engine } from '../../engine/engine.ts';
import { toolboxFor } from '../../engine/toolbox.ts';
import { SkillError } from '../../kernel/errors.ts';
import { showHidden } from '../../kernel/hidden.ts';
import { count, cut, oneLine } from '../../kernel/text.ts';
import { requireSkill } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { runtimeOfWork } from '../../tools/tool-work.ts';
import type { JsonSchema } from '../../tools/types.ts';
import { type CatalogueSkill, catalogueOf } from '../catalogue/entries.ts';
import { answer, type ToolContext, type ToolResult } from './tool.ts';

const most = 500;

/** The installed skills, a page at a time. */
export async function callListSkills(
  { engine, check }: ToolContext,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const { limit, offset } = input as { limit: number; offset: number };
  if (!Number.isInteger(limit) || limit < 1) throw new SkillError('usage', '`limit` must be a whole number from 1');
  if (!Number.isInteger(offset) || offset < 0) throw new SkillError('usage', '`offset` must be a whole number from 0');
  await check();
  const snapshot = await engine.registry.snapshot();
  const all = catalogueOf(snapshot);
  const page = all.slice(offset, offset + Math.min(limit, most));
  const skills = await Promise.all(page.map((entry) => withTools(engine, snapshot, entry)));
  const next = offset + skills.length;
  const hasMore = next < all.length;
  const text = [
    `${count(all.length, 'skill')} installed${shownOf(skills.length, all.length, offset)}.`,
    ...skills.flatMap(({ name, description, tools }) => [
      `- ${oneLine(name)}: ${oneLine(description)}`,
      ...tools.map(
        (tool) => `  - ${signature(tool)} [${tool.runtime}]: ${cut(oneLine(tool.description), longestLine)}`,
      ),
    ]),
    ...(hasMore ? [`Call again with offset ${next} for more.`] : []),
  ].join('\n');
  return answer(text, { skills, total: all.length, ...(hasMore ? { nextOffset: next } : {}) });
}

function shownOf(shown: number, total: number, offset: number): string {
  if (shown === total) return '';
  return shown === 0 ? `, none from offset ${offset} on` : `, ${offset + 1} to ${offset + shown} shown`;
}

/** A tool in one line of text; its description whole is in the data. */
const longestLine = 200;

interface ListedTool {
  readonly name: string;
  readonly runtime: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

async function withTools(engine: Engine, snapshot: Snapshot, entry: CatalogueSkill) {
  const { runtime, tools } = await toolboxFor(engine.environment, requireSkill(snapshot, entry.name));
  return {
    ...entry,
    description: showHidden(entry.description).text,
    runtime,
    tools: tools.map(({ name, description, parameters, work }): ListedTool => {
      return { name, runtime: runtimeOfWork(work), description, parameters };
    }),
  };
}

/** `get(resource, namespace?)` */
function signature({ name, parameters }: ListedTool): string {
  const required = (parameters['required'] ?? []) as readonly string[];
  const names = Object.keys((parameters['properties'] ?? {}) as object);
  return `${oneLine(name)}(${names.map((one) => oneLine(one) + (required.includes(one) ? '' : '?')).join(', ')})`;
}
