const refused = 'this user may not';

const words: Readonly<Record<string, string>> = {
  EACCES: refused,
  EPERM: refused,
  EROFS: 'its disk takes no changes',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'a file stands where a folder should be',
  ELOOP: 'its links lead in a circle',
};

/** What the system says, as a person would, with its own word behind for those who look it up. */
export function inWords(reason: string): string {
  const said = words[reason];
  return said === undefined ? reason : `${said} (${reason})`;
}
