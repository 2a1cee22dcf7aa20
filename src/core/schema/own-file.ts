import { readRegularFile } from '../disk/files.ts';
import type { Schema } from './schema.ts';
import { readOwn } from './schema-reader.ts';

/** Reads a JSON file that we write ourselves; null where there is none, or it is not as we write it. */
export function readOwnFile<T>(schema: Schema<T>, file: string, byteLimit: number): T | null {
  const found = readRegularFile(file, byteLimit);
  return found.ok ? readOwn(schema, found.value.bytes.toString('utf8')) : null;
}
