import { readFileSync } from 'node:fs';
import { readTopics } from './topics.mjs';

/** @typedef {import('../random.mjs').Random} Random */

/**
 * How often the word of some rank is used: as in real text, ever more rarely, and never quite never. Few words are in
 * every skill, and most are in one or two; an index of ten common words would be searched too fast to be true.
 */
const exponent = 1.3;
const offset = 2.7;
const words = 150_000;

/** Of a hundred skills: made of sentences of these languages, as topics of theirs are written. */
const otherShare = 0.08;

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru sta pli tro'.split(
  ' ',
);

/** As in real skills, about one word in forty is none that the embedding table knows. */
const knownWords = 30_000;
const table = new URL('../../assets/skill-vectors-128d-q4.bin', import.meta.url);

/**
 * Words and sentences to write skills with. The commonest words are those of the topics, so that queries find
 * something; then come words that the embedding table knows, and the rest are invented.
 *
 * @param {Random} random
 */
export function createVocabulary(random) {
  const topics = readTopics();
  const [english, others] = [topics.filter(isLatin), topics.filter((topic) => !isLatin(topic))];
  const used = ranked(english.flatMap(({ description, body }) => wordsIn(`${description} ${body}`)));
  const real = [...new Set([...used, ...tableWords().slice(0, knownWords)])];
  const sentences = others.map(({ description, body }) => `${description} ${body}`.split(/(?<=[。.！!？?])\s*/u));
  const name = () => Array.from({ length: 2 + random.below(2) }, () => pick(200)).join('-');

  function pick(/** @type {number} */ from) {
    const rank = Math.min(from + rankAt(random.next()), words);
    return real[rank] ?? invented(rank);
  }

  function prose(/** @type {number} */ length) {
    let text = '';
    while (text.length < length) text += `${text === '' ? '' : random.chance(0.08) ? '. ' : ' '}${pick(0)}`;
    return text.slice(0, length);
  }

  function foreign(/** @type {string[]} */ source, /** @type {number} */ length) {
    let text = '';
    while (text.length < length) text += `${random.pick(source)}\n`;
    return text.slice(0, length).trim();
  }

  return {
    name,
    /** What writes one skill: prose, or now and then the sentences of another language. */
    writer() {
      if (!random.chance(otherShare)) return prose;
      const source = random.pick(sentences);
      return (/** @type {number} */ length) => foreign(source, length);
    },
  };
}

/** The text of the table's words begins behind a header of eight numbers; the seventh is its length in bytes. */
function tableWords() {
  const bytes = readFileSync(table);
  return bytes
    .toString('utf8', 32, 32 + bytes.readUInt32LE(24))
    .split('\n')
    .filter((word) => /^[a-z]{3,}$/.test(word));
}

function isLatin({ body }) {
  return !/[\u3040-\u30ff\u4e00-\u9fff]/.test(body);
}

function wordsIn(text) {
  return text.toLowerCase().match(/[\p{Script=Latin}]+/gu) ?? [];
}

/** The words, most frequent first. @param {readonly string[]} all */
function ranked(all) {
  const counts = new Map();
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
}

/** Turns an even number from 0 to 1 into a rank. */
function rankAt(share) {
  const [low, high] = [offset ** (1 - exponent), (words + offset) ** (1 - exponent)];
  return Math.floor((low + share * (high - low)) ** (1 / (1 - exponent)) - offset);
}

/** A word for a rank: another for each, three to five syllables of it. */
function invented(rank) {
  let [word, rest] = ['', Math.imul(rank, 2_654_435_761) >>> 0];
  for (let at = 0; at < 3 + (rank % 3); at++) {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  }
  return word;
}
