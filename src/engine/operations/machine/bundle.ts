import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { agentsNamed } from '../../../agents/setup/agents/table.ts';
import type { Values } from '../../../agents/setup/agents/types.ts';
import { type KindName, kinds, type Source } from '../../../agents/setup/bundle.ts';
import { findProgram, launchFor, type Program } from '../../../agents/setup/plan/entry.ts';
import { entriesOf, isThere } from '../../../core/disk/files.ts';
import { makeFolder } from '../../../core/disk/make-folder.ts';
import { packageFile } from '../../../core/disk/package-file.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { choice, optional, text } from '../../../core/schema/schema.ts';
import { nodeVersions, version } from '../../../core/version.ts';
import { excludesFor } from '../../agents/native.ts';
import type { Engine } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { usualName, writtenOptions } from '../../setup/request.ts';

export interface BundleOutput {
  readonly kind: KindName;
  /** Folder that was written; null if none was. */
  readonly folder: string | null;
  /** Paths relative to the folder. */
  readonly files: readonly string[];
  readonly links: Readonly<Record<string, string>>;
  /** Next steps for the user. */
  readonly next: readonly string[];
}

const names = Object.keys(kinds) as KindName[];

/** Descriptions of all kinds, for people. */
export const aboutKinds = names.map((name) => `${name}: ${kinds[name].about}`).join('; ');

export const bundle = defineOperation({
  name: 'bundle',
  effect: 'acts',
  input: {
    kind: choice(names, `What to create: ${names.join(', ')}.`),
    out: optional(text('The folder to write to (./repertoire-KIND).')),
    id: optional(text('For server-json: its name in the registry, such as io.github.you/repertoire.')),
    url: optional(text('For server-json: the address where the .mcpb file will be.')),
  },
  async run(engine, { kind, out, id, url }): Promise<BundleOutput> {
    const source = sourceFor(engine, publishedAs(kind, id, url));
    const { make, next } = kinds[kind];
    const { files, links } = make(source);
    const folder = resolve(engine.environment.cwd, out ?? `${usualName}-${kind}`);
    if (files.size > 0) writeAll(folder, files);
    return {
      ...{ kind, folder: files.size > 0 ? folder : null, files: [...files.keys()], links },
      next: next(folder, source),
    };
  },
});

/** The fields that the registry requires: a name with the publisher's domain reversed, and a permanent address. */
function publishedAs(kind: KindName, id: string | undefined, url: string | undefined): Source['published'] {
  if (kind !== 'server-json') {
    if (id === undefined && url === undefined) return null;
    throw new SkillError('usage', '--id and --url are for server-json');
  }
  const example =
    'repertoire bundle server-json --id io.github.you/repertoire --url https://example.com/repertoire.mcpb';
  if (id === undefined || url === undefined) {
    const message = 'server-json names a bundle that you publish: it needs --id and --url';
    throw new SkillError('usage', message, { hint: `For example: ${example}` });
  }
  if (!/^[a-zA-Z0-9.-]{1,150}\/[a-zA-Z0-9._-]{1,49}$/.test(id)) {
    throw new SkillError('usage', `--id must look like io.github.you/repertoire, not '${id}'`, { hint: example });
  }
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw new SkillError('usage', '--url must be an https address', { hint: example });
  }
  return { id, url };
}

function sourceFor({ configuration, environment }: Engine, published: Source['published']): Source {
  const program = findProgram(environment);
  const options = writtenOptions(configuration, environment);
  return {
    ...{ name: usualName, version: version(), nodeVersions: nodeVersions(), published },
    description: 'Every Agent Skill on the machine, for every AI agent: found, searched, loaded and run.',
    entryFor: (agent) => entryOf(agent, program, options),
    programFiles,
  };
}

/** The entry for an agent, as setup would write it. */
function entryOf(id: string, program: Program, options: readonly string[]): Values {
  const [agent] = agentsNamed(id);
  if (agent === undefined) throw new Error(`there is no agent ${id}`);
  const native = excludesFor(agent.id);
  const excludes = native.length === 0 ? [] : ['--exclude', native.join(',')];
  const launch = launchFor(agent, program, agent.toolNames, [...excludes, ...options]);
  const { set, defaults } = agent.shape.stdio(launch, usualName);
  return { ...set, ...defaults };
}

/** Parts of the package that a start needs: the program, the console, and what it searches with. */
const programParts = ['package.json', 'LICENSE', 'dist/cli', 'dist/ui', 'assets'];

function programFiles(): ReadonlyMap<string, Buffer> {
  const manifest = packageFile('package.json');
  if (manifest === undefined) throw new SkillError('unavailable', 'the files of the program are missing');
  const folder = dirname(manifest);
  const files = new Map<string, Buffer>();
  for (const part of programParts) gather(join(folder, part));
  return files;

  function gather(path: string): void {
    const entries = entriesOf(path);
    if (entries.ok) for (const { name } of entries.value) gather(join(path, name));
    else if (isThere(path)) files.set(relative(folder, path).split(sep).join('/'), readFileSync(path));
  }
}

/** Writes files into a folder that is empty or not there yet: nothing is overwritten. */
function writeAll(folder: string, files: ReadonlyMap<string, string | Buffer>): void {
  const there = entriesOf(folder);
  if (there.ok ? there.value.length > 0 : isThere(folder)) {
    const hint = 'Choose another folder with --out, or remove this one.';
    throw new SkillError('usage', `${folder} already exists, and is not an empty folder`, { hint });
  }
  try {
    for (const [path, content] of files) {
      const file = join(folder, path);
      makeFolder(dirname(file), 0o777);
      writeFileSync(file, content, { flag: 'wx' });
    }
  } catch (error) {
    throw new SkillError('unwritable', `${folder} cannot be written (${reasonOf(error)})`, {
      hint: 'Choose another folder with --out.',
    });
  }
}
