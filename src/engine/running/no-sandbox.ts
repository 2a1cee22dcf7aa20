/** Told wherever tools are run so, before the first of them is. */
export const noSandbox =
  'NO SANDBOX (--unsafe-no-sandbox): tools run as you, and may read, change and send whatever you can';
