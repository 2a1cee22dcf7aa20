import { readRegularFile } from '../../core/disk/files.ts';
import { packageFile } from '../../core/disk/package-file.ts';
import { SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { embedSkill, embedText } from '../model/embed.ts';
import { createNearWords } from '../model/near-words.ts';
import { correction } from '../model/spelling.ts';
import { openTable, type Table } from '../model/table.ts';
import { taskLikeness } from '../model/task-likeness.ts';
import { roomForRows } from '../vectors/packed.ts';
import { type Embedder, localTableDigest } from './embedder.ts';

const asset = 'assets/skill-vectors-128d-q4.bin';
const mostBytes = 16 * 1024 * 1024;

/** The embedder of this process: the table is read once, by the first who needs it. */
let opened: Embedder | undefined;

/** Opens the embedder that comes with the package: no download, no service, no other process. */
export function openLocalEmbedder(): Embedder {
  opened ??= embedderOf(readTable());
  return opened;
}

function embedderOf(table: Table): Embedder {
  let nearWordsOf: ReturnType<typeof createNearWords> | undefined;
  return {
    id: `local:${localTableDigest}`,
    isNear: true,
    query: async (text) => embedText(table, text),
    skills: async (skills) => skills.map((skill) => embedSkill(table, skill)),
    correction: (word) => correction(table, word),
    lookCloser(question, embedding) {
      nearWordsOf ??= createNearWords(table);
      return { nearWords: nearWordsOf(question), likeness: taskLikeness(embedding) };
    },
  };
}

function readTable(): Table {
  const file = packageFile(asset);
  if (file === undefined) throw incomplete(`${asset} is missing`);
  const read = readRegularFile(file, mostBytes, roomForRows(mostBytes));
  if (!read.ok) throw incomplete(`${file} cannot be read (${read.reason})`);
  const { bytes } = read.value;
  if (sha256(bytes) !== localTableDigest) throw incomplete(`${file} is not the file that was published`);
  return openTable(bytes);
}

function incomplete(what: string): SkillError {
  return new SkillError('unreadable', `the installed package is not complete: ${what}`, {
    hint: 'Install it again; until then search uses words only.',
  });
}
