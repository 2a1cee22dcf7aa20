import { isUtf8 } from 'node:buffer';
import { isTextual, typeOf } from '../../../skill/mime.ts';

/** A file as `resources/read` gives it. */
export type Content =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly uri: string; readonly mimeType: string; readonly blob: string };

/**
 * The content as text only where that gives back the very bytes: a host compares their digest. All else goes as base64.
 */
export function contentOf(uri: string, path: string, bytes: Buffer): Content {
  const mimeType = typeOf(path, bytes);
  return isTextual(mimeType) && isUtf8(bytes)
    ? { uri, mimeType, text: bytes.toString('utf8') }
    : { uri, mimeType, blob: bytes.toString('base64') };
}
