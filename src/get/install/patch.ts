import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { deflateSync } from 'node:zlib';
import { below } from '../../core/disk/paths.ts';
import { byText } from '../../core/text/text.ts';
import { executableMark } from '../../run/policy/digest.ts';
import { diffOf, type Side } from './merge.ts';

/** The changes of a skill as a patch that `git apply` takes, with the paths that its files have at the source. */
export function patchOf(base: Side, mine: Side, folder: string): string {
  const paths = [...new Set([...Object.keys(base.files), ...Object.keys(mine.files)])].sort(byText);
  const changed = paths.filter((path) => base.files[path] !== mine.files[path]);
  return changed.map((path) => filePatch(base, mine, path, posix.join(folder, path))).join('');
}

function filePatch(base: Side, mine: Side, path: string, name: string): string {
  const [before, after] = [modeOf(base, path), modeOf(mine, path)];
  const diff = diffOf(base, mine, path);
  const modes =
    before === null
      ? [`new file mode ${after}`]
      : after === null
        ? [`deleted file mode ${before}`]
        : before === after
          ? []
          : [`old mode ${before}`, `new mode ${after}`];
  const head = [`diff --git a/${name} b/${name}`, ...modes].map((line) => `${line}\n`).join('');
  if (diff === null) return head + binaryPatch(bytesOf(base, path), bytesOf(mine, path));
  if (!diff.includes('@@')) return head;
  const [, , ...hunks] = diff.split('\n');
  const names = [before === null ? '/dev/null' : `a/${name}`, after === null ? '/dev/null' : `b/${name}`];
  return `${head}--- ${names[0]}\n+++ ${names[1]}\n${hunks.join('\n')}`;
}

function modeOf({ files }: Side, path: string): string | null {
  const digest = files[path];
  return digest === undefined ? null : digest.endsWith(executableMark) ? '100755' : '100644';
}

function bytesOf({ folder, files }: Side, path: string): Buffer {
  return files[path] === undefined ? Buffer.alloc(0) : readFileSync(below(folder, path));
}

/** A change of bytes that are no text, as Git writes it: the new bytes, compressed and in letters. */
function binaryPatch(before: Buffer, after: Buffer): string {
  return `index ${blobId(before)}..${blobId(after)}\nGIT binary patch\n${literal(after)}\n${literal(before)}\n`;
}

/** The name that Git gives to bytes; none has a name of zeros. */
function blobId(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
/** Bytes of a line, whose number is its first letter: A to Z for 1 to 26, a to z for 27 to 52. */
const lineBytes = 52;

function literal(bytes: Buffer): string {
  const data = deflateSync(bytes);
  const lines = [`literal ${bytes.length}`];
  for (let at = 0; at < data.length; at += lineBytes) {
    const part = data.subarray(at, at + lineBytes);
    const mark = String.fromCharCode(part.length <= 26 ? 64 + part.length : 70 + part.length);
    lines.push(mark + inLetters(part));
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Bytes in base 85, five letters for four bytes, with zeros at the end where some are missing. */
function inLetters(part: Buffer): string {
  const padded = Buffer.concat([part, Buffer.alloc((4 - (part.length % 4)) % 4)]);
  let text = '';
  for (let at = 0; at < padded.length; at += 4) {
    let value = padded.readUInt32BE(at);
    let five = '';
    for (let digit = 0; digit < 5; digit++) {
      five = letters.charAt(value % 85) + five;
      value = Math.floor(value / 85);
    }
    text += five;
  }
  return text;
}
