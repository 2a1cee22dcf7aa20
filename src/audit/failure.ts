import { reasonOf, SkillError } from '../kernel/errors.ts';

const room = 'Free some space on its disk, or raise the quota.';
const access = 'Make it writable for this user, or set XDG_STATE_HOME to a folder that is.';

/** What to do about it, by what the system says. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: room,
  EDQUOT: room,
  EFBIG: 'Raise the limit on file size (ulimit -f).',
  EACCES: access,
  EPERM: access,
  EROFS: access,
  ENOTDIR: 'Set XDG_STATE_HOME, or HOME, to a folder that this user may write to.',
  ELOOP: 'Replace the link with a regular file or folder.',
  EMFILE: 'Raise the limit on open files (ulimit -n).',
};

/** The one error for all that keeps a record from being written whole. Who gets it must not run anything. */
export function unwritable(error: unknown, path: string): SkillError {
  if (error instanceof SkillError) return error;
  const reason = reasonOf(error);
  return new SkillError('unwritable', `the audit log cannot be written (${reason}): ${path}`, {
    hint: `Nothing is run or granted without a record. ${remedies[reason] ?? 'Fix it, and try again.'}`,
    cause: error,
  });
}

/** A system error made by hand, for what the system reports by doing less than it was asked. */
export function shortOfSpace(): Error {
  return Object.assign(new Error('only a part was written'), { code: 'ENOSPC' });
}
