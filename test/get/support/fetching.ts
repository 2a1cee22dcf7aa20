import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type Environment, hostEnvironment } from '../../../src/core/environment.ts';
import { SkillError } from '../../../src/core/errors.ts';
import { parseSource } from '../../../src/get/sources/parse.ts';
import { fetchSource, newestOf } from '../../../src/get/sources/sources.ts';
import type { FetchContext, Fetched, Origin } from '../../../src/get/sources/types.ts';
import { createWorld } from '../../support/world.ts';

/** A machine of its own that fetches skills. */
export class Fetcher {
  readonly world = createWorld();
  readonly environment: Environment;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.environment = hostEnvironment({
      home: this.world.home,
      cwd: this.world.project,
      env: { PATH: process.env['PATH'], HOME: this.world.home, ...env },
    });
  }

  async fetch(text: string, context: Partial<FetchContext> & { readonly ref?: string } = {}): Promise<Fetched> {
    const { ref, ...rest } = context;
    return await fetchSource(parseSource(text, this.environment, ref), {
      environment: this.environment,
      offline: false,
      ...rest,
    });
  }

  async newest(text: string, context: Partial<FetchContext> = {}): Promise<Origin> {
    return await newestOf(parseSource(text, this.environment), {
      environment: this.environment,
      offline: false,
      ...context,
    });
  }

  /** The error with which a source is refused, after which nothing may be left. */
  async refusal(text: string, context: Partial<FetchContext> & { readonly ref?: string } = {}): Promise<SkillError> {
    const outcome = await this.fetch(text, context).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(SkillError);
    expect(this.left()).toEqual([]);
    return outcome as SkillError;
  }

  /** Writes a file into the project. */
  put(path: string, content: string | Buffer): string {
    const file = join(this.world.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** What fetching has left behind. */
  left(): readonly string[] {
    try {
      return readdirSync(join(this.world.home, '.cache/repertoire/fetched'));
    } catch {
      return [];
    }
  }
}

/** Every file in a folder, with its content. */
export function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
