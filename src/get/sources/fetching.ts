import type { Limits } from './limits.ts';
import type { FetchContext, FetchedSkill, Origin, RefusedSkill, Source } from './types.ts';

/** The context in which a kind of source fetches. */
export interface Fetching extends Omit<FetchContext, 'limits'> {
  readonly limits: Limits;
  /** The folder for the files of skills. */
  readonly files: string;
  /** A folder for anything else, which is removed before the end. */
  readonly work: string;
}

/** The outcome of fetching. */
export interface Found {
  readonly origin: Origin;
  readonly skills: readonly FetchedSkill[];
  readonly refused: readonly RefusedSkill[];
}

/** The context in which a kind of source tells its newest state. */
export type AskingNewest = Omit<Fetching, 'files'>;

/** A kind of source. */
export interface Fetcher {
  fetch(source: Source, fetching: Fetching): Promise<Found>;
  newest(source: Source, asking: AskingNewest): Promise<Origin>;
}
