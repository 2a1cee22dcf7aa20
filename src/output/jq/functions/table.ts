import type { StreamFunction, ValueFunction } from '../values/at.ts';
import { collectionFunctions } from './collections.ts';
import { numberFunctions } from './numbers.ts';
import { patternFunctions } from './patterns.ts';
import { sortingFunctions } from './sorting.ts';
import { plainStreams } from './streams.ts';
import { textFunctions } from './texts.ts';

export const valueFunctions: ReadonlyMap<string, ValueFunction> = new Map(
  Object.entries({ ...collectionFunctions, ...textFunctions, ...numberFunctions }),
);

export const streamFunctions: ReadonlyMap<string, StreamFunction> = new Map(
  Object.entries({ ...plainStreams, ...sortingFunctions, ...patternFunctions }),
);
