import { delimiter } from 'node:path';

const path = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);

/** The folders in which programs are looked for: servers lie in two that Debian leaves out of an ordinary user's `PATH`. */
export const programFolders = [...new Set([...path, '/usr/sbin', '/sbin'])];

/** The same as a `PATH`. */
export const programPath = programFolders.join(delimiter);
