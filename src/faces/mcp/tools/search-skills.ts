import { count, cut, oneLine, printable } from '../../../core/text/text.ts';
import type { Engine } from '../../../engine/engine.ts';
import { search as operation } from '../../../engine/operations/skills/search.ts';
import type { ExactOutput, FindOutput, IndexState } from '../../../engine/searching/find.ts';
import type { SearchHit } from '../../../engine/searching/hits.ts';
import { addressesOf } from '../../../registry/addresses.ts';
import { resolveName } from '../../../registry/resolve.ts';
import { ownTool } from '../catalogue/words.ts';
import type { ToolId } from './definitions.ts';
import { listedName } from './definitions.ts';
import { answer, defineTool } from './tool.ts';

/** Time a model waits for skills that are not indexed yet; then it is answered from those that are. */
const waitMs = 5000;
const descriptionLength = 200;
/** Characters of the longest call shown; parameters beyond that would push the other hits out of sight. */
const longestCall = 600;

/** Searches the skills by words and by meaning. */
export const searchSkills = defineTool({
  operation,
  spelling: { limit: 'top_k' },
  request: { waitMs },
  input: ({ query, top_k }) => ({ query: [query as string], limit: top_k as number }),
  async answer(output, given, { engine, surface: { name: server, tools, naming } }) {
    const { query, top_k } = given as { query: string; top_k: number };
    const { query: asked, results, index, notes } = output as FindOutput;
    const own = (id: ToolId): OwnTool | null => (tools.includes(id) ? { server, name: listedName(id, naming) } : null);
    const [loader, runner] = [own('skill'), own('skill-engine/execute')];
    const text = [
      headOf(query, results, index, loader),
      ...results.flatMap((hit) => [lineOf(hit), ...runLinesOf(hit, runner)]),
      ...notes.map((note) => `Note: ${oneLine(note)}.`),
    ];
    const uriOf = loader === null ? await addressBook(engine) : undefined;
    const isWhole = index.ready === index.total;
    return answer(text.join('\n'), {
      query: asked,
      top_k,
      results: results.map((hit) => resultOf(hit, { loader, runner, uriOf })),
      ...(isWhole ? {} : { indexed: index.ready, total: index.total }),
      ...(notes.length > 0 && { notes }),
    });
  },
});

/** A tool of this server as calls name it: an agent may have one of its own that is called the same. */
interface OwnTool {
  readonly server: string;
  readonly name: string;
}

function headOf(
  query: string,
  results: readonly SearchHit[],
  { ready, isGrowing }: IndexState,
  loader: OwnTool | null,
): string {
  if (ready === 0 && isGrowing) return 'The skills are being indexed for the first time; ask again in a moment.';
  const about = `"${cut(query, descriptionLength)}"`;
  if (results.length === 0) return `No skill fits ${about}.`;
  if (results.every(({ weak }) => weak)) return `No skill clearly fits ${about}; these come nearest, and may not help:`;
  const how = loader === null ? '' : ` Load one by its name with ${ownTool(loader.name, loader.server)}:`;
  return `${count(results.length, 'skill')} for ${about}, best first.${how}`;
}

function lineOf({ name, score, weak, description, passage }: SearchHit): string {
  const shown = oneLine(passage);
  // Each sentence appears once: a model reads every word. Where the passage follows soon after, the description runs on
  // to it.
  const enough = [descriptionLength, 2 * descriptionLength]
    .map((length) => cut(description, length))
    .find((about) => says(about, shown));
  const said = enough ?? `${cut(description, descriptionLength)} [${shown}]`;
  return `- ${oneLine(name)} (${score.toFixed(2)}${weak ? ', weak' : ''}): ${said}`;
}

/** The tools of a skill that fit, the call of the best, and what it does. */
function runLinesOf({ tools, bestTool, execute }: SearchHit, runner: OwnTool | null): string[] {
  if (bestTool === undefined || execute === undefined) return [];
  const { name, description, optional } = bestTool;
  const call = JSON.stringify(execute.arguments);
  // A call with unprintable characters would not be the same call any more.
  const isShown = call.length <= longestCall && printable(call) === call;
  const how = isShown ? ` ${call}` : ', whose parameters list_skills lists';
  const also = optional.length === 0 ? '' : ` Optional: ${cut(optional.join(', '), descriptionLength)}.`;
  return [
    `  Tools: ${tools.map(oneLine).join(', ')}${runner === null ? '' : `; run with ${runner.name}${how}`}`,
    `  ${oneLine(name)}: ${description}${also}`,
  ];
}

/** Whether a description says what a passage does, by letters and digits: a passage has no Markdown marks. */
function says(description: string, passage: string): boolean {
  const [whole, part] = [description, passage].map((text) => text.replace(/[^\p{L}\p{N}]+/gu, '')) as [string, string];
  return whole.includes(part);
}

interface Ways {
  readonly loader: OwnTool | null;
  readonly runner: OwnTool | null;
  readonly uriOf: ((name: string) => string | undefined) | undefined;
}

/** The data of a hit; where no tool loads skills, with the resource to read. */
function resultOf(hit: SearchHit, { loader, runner, uriOf }: Ways) {
  const { plugin, copies, call, tools, bestTool, execute, passage, scores: _scores, ...facts } = hit;
  const uri = uriOf?.(hit.name);
  return {
    ...facts,
    // Some clients show models the text and the data: what both say is there twice, and must not be a third time.
    ...(!says(hit.description, passage) && { passage }),
    ...(plugin !== null && { plugin }),
    ...(copies.length > 0 && { copies }),
    ...(tools.length > 0 && { tools }),
    ...(bestTool !== undefined && { bestTool: withoutCommand(bestTool) }),
    ...(loader !== null && { call: { ...loader, arguments: call.arguments } }),
    ...(runner !== null && execute !== undefined && { execute: { ...runner, arguments: execute.arguments } }),
    ...(uri !== undefined && { uri }),
  };
}

/** The best tool without its shell command: a model calls tools. */
function withoutCommand({ command: _command, ...facts }: NonNullable<SearchHit['bestTool']>) {
  return facts;
}

/** Returns a lookup of skill addresses by the names of hits. */
async function addressBook(engine: Engine): Promise<(name: string) => string | undefined> {
  const snapshot = await engine.registry.snapshot();
  const { list } = addressesOf(snapshot);
  return (name) => {
    const found = resolveName(snapshot, name);
    return found.kind === 'found' ? list.find(({ skill }) => skill === found.skill)?.uri : undefined;
  };
}

/** Finds the skills that hold every word of the query. */
export const skillsSearch = defineTool({
  operation,
  input: ({ query, limit }) => ({ query: [query as string], limit: limit as number, exact: true }),
  answer(output, { query }) {
    const found = output as ExactOutput;
    const results = found.results.map(({ fullName: _fullName, provider: _provider, ...hit }) => hit);
    const lines = found.results.map(({ fullName, excerpt }) => `- ${oneLine(fullName)}: ${oneLine(excerpt)}`);
    const part = results.length === 1 ? ', the first' : `, the first ${results.length}`;
    const head = `${count(found.total, 'skill')} matching "${oneLine(query as string)}"${found.total > results.length ? part : ''}.`;
    return answer([head, ...lines].join('\n'), { ...found, results });
  },
});
