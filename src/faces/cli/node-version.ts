/** Checks against `engines` in package.json, which is not read here because every start would pay for it. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
}

/**
 * Refuses a Node that is too old, and returns the exit code. This file runs on that very Node, so that it uses nothing
 * that came after Node 12, and imports nothing that does.
 */
export function refuseNode(version: string, argv: readonly string[]): number {
  const message = `Repertoire needs Node 22.12 or later, or Node 20 from 20.19 on; this is Node ${version} (${process.execPath})`;
  const hint =
    'Install a newer one from https://nodejs.org, or with a version manager: nvm install --lts, fnm install --lts.';
  if (argv.indexOf('--json') === -1) process.stderr.write(`error: ${message}\n${hint}\n`);
  else {
    const error = { code: 'unavailable', message, hint, suggestions: [], candidates: [] };
    process.stdout.write(`${JSON.stringify({ error })}\n`);
  }
  return 1; // as for anything else this machine lacks: command.ts
}
