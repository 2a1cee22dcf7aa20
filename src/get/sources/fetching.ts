import type { Limits } from './limits.ts';
import type { FetchContext, FetchedSkill, Origin, RefusedSkill, Source } from './types.ts';

/** What a kind of source needs to fetch. */
export interface Fetching extends Omit<FetchContext, 'limits'> {
  readonly limits: Limits;
  /** The folder for the files of skills. */
  readonly files: string;
  /** A folder for anything else, which is removed before the end. */
  readonly work: string;
}

/** What a kind of source has fetched. */
export interface Found {
  readonly origin: Origin;
  readonly skills: readonly FetchedSkill[];
  readonly refused: readonly RefusedSkill[];
}

/** What a kind of source needs to tell its newest state. */
export type AskingNewest = Omit<Fetching, 'files'>;

/** A kind of source. */
export interface Fetcher {
  fetch(source: Source, fetching: Fetching): Promise<Found>;
  newest(source: Source, asking: AskingNewest): Promise<Origin>;
}
