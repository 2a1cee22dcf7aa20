const refused = 'permission denied';

const words: Readonly<Record<string, string>> = {
  EACCES: refused,
  EPERM: refused,
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'there is a file where a folder should be',
  ELOOP: 'its links form a loop',
};

/** What the system says, as a person would, with its own word behind for those who look it up. */
export function inWords(reason: string): string {
  const said = words[reason];
  return said === undefined ? reason : `${said} (${reason})`;
}
