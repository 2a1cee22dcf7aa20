import { createRandom } from '../random.mjs';
import { jobs, trades } from './trades.mjs';

/** @typedef {import('./topics.mjs').Topic} Topic */

/** One sentence each; `%` stands for a word of the trade. */
const sentences = [
  'Start with the % and write down what is there before anything is changed.',
  'Compare the % with last year and report every difference that matters.',
  'If nothing is known about the %, ask; never guess from an old file.',
  'A short table of % with date, place and person is enough.',
  'Most errors come from counting the % twice.',
  'Keep the % apart from everything else, with a label.',
  'When there is trouble with the %, look for the cause upstream.',
  'Read the notes on % aloud once; people remember what they hear.',
  'Send the list of % to the team and wait for an answer.',
  'Photos of the % help those who were not there.',
];

/**
 * Skills that no query is about, so that the right ones have to be found among many. The same count gives the same
 * skills on every machine.
 *
 * @param {number} count
 * @returns {Topic[]}
 */
export function makeFiller(count) {
  const random = createRandom(count);
  return shuffled(pairs(), random)
    .slice(0, count)
    .map(({ trade, words, job }) => filler(trade, words, job, random));
}

function pairs() {
  return trades.flatMap(([trade, words]) => jobs.map((job) => ({ trade, words: words.split(' '), job })));
}

function shuffled(list, random) {
  const left = [...list];
  for (let end = left.length - 1; end > 0; end--) {
    const other = random.below(end + 1);
    [left[end], left[other]] = [left[other], left[end]];
  }
  return left;
}

function filler(trade, words, [job, verb, thing, occasion], random) {
  const place = trade.replaceAll('-', ' ');
  const said = shuffled(sentences, random).map((sentence) => sentence.replace('%', random.pick(words)));
  return {
    name: `${trade}-${job}`,
    description: `${verb} ${thing} for the ${place}: ${words.join(', ')}. Use when ${occasion}.`,
    body: ['## Before', ...said.slice(0, 2), '## Work', ...said.slice(2, 5), '## After', ...said.slice(5, 7)].join(
      '\n\n',
    ),
  };
}
