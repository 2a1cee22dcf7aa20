import { reasonOf, SkillError } from '../kernel/errors.ts';

const room = 'Free some space on its disk, or raise the quota.';
const access = 'Make it writable for this user, or set XDG_STATE_HOME to a folder that is.';

/** What to do about it, by what the system says. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: room,
  EDQUOT: room,
  EFBIG: 'Raise the largest size of a file that this process may write (ulimit -f).',
  EACCES: access,
  EPERM: access,
  EROFS: access,
  ENOTDIR: 'Remove the file that stands in the place of a folder.',
  ELOOP: 'Put a plain file or folder in the place of the link.',
  EMFILE: 'Raise how many files this process may have open (ulimit -n).',
};

/** The one error for all that keeps a record from being written whole. Who gets it must not run anything. */
export function unwritable(error: unknown, path: string): SkillError {
  if (error instanceof SkillError) return error;
  const reason = reasonOf(error);
  return new SkillError('unwritable', `the audit log cannot be written (${reason}): ${path}`, {
    hint: `Nothing is run without a record. ${remedies[reason] ?? 'Mend it, and try again.'}`,
    cause: error,
  });
}

/** A system error made by hand, for what the system reports by doing less than it was asked. */
export function shortOfSpace(): Error {
  return Object.assign(new Error('only a part was written'), { code: 'ENOSPC' });
}
