import { unwatchFile, watchFile } from 'node:fs';
import type { Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import { readRegularFile, realPathOrSelf } from '../../core/disk/files.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';

/** The files of a server that encrypts by itself. */
export interface TlsFiles {
  /** The certificate in PEM, with those that lead to its authority. */
  readonly cert: string;
  /** The private key in PEM, without a password. */
  readonly key: string;
}

/** Interval at which the files are looked at; events of the system do not tell when a link leads to other files. */
const lookMs = 1000;
const byteLimit = 1024 * 1024;

/**
 * Creates a server that encrypts. Files that change are read again; while they do not belong together, as between two
 * writes, the certificate before stays.
 */
export function createTlsServer(files: TlsFiles, options: ServerOptions, log: Logger): Server {
  const { headersTimeout: handshakeTimeout = 15_000 } = options;
  const server = attempt(files, () => createServer({ ...options, handshakeTimeout, ...read(files) }));
  const renew = (): void => {
    try {
      attempt(files, () => server.setSecureContext(read(files)));
      log.info('the TLS certificate has been read again');
    } catch (error) {
      log.warn('the TLS certificate has changed and cannot be used; the one before stays', { error: reasonOf(error) });
    }
  };
  const watched = Object.values(files) as readonly string[];
  for (const file of watched) watchFile(file, { interval: lookMs, persistent: false }, renew);
  server.once('close', () => {
    for (const file of watched) unwatchFile(file, renew);
  });
  return server;
}

function read({ cert, key }: TlsFiles): { readonly cert: Buffer; readonly key: Buffer } {
  return { cert: bytesOf(cert, 'certificate'), key: bytesOf(key, 'private key') };
}

/** The bytes of a file. Those that are mounted into containers, or made by clients of ACME, are links. */
function bytesOf(file: string, what: string): Buffer {
  const reading = readRegularFile(realPathOrSelf(file), byteLimit);
  if (reading.ok) return reading.value.bytes;
  throw new SkillError('config', `the ${what} for TLS cannot be read from ${file} (${reading.reason})`, {
    hint: 'Give files in PEM with --tls-cert and --tls-key.',
  });
}

function attempt<T>({ cert, key }: TlsFiles, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SkillError) throw error;
    const message = `${cert} and ${key} are not a certificate and its key (${reasonOf(error)})`;
    throw new SkillError('config', message, { hint: 'Both must be in PEM, the key without a password.', cause: error });
  }
}
