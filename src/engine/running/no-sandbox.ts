/** Warning that is given before the first tool runs without a sandbox. */
export const noSandbox =
  'NO SANDBOX (--unsafe-no-sandbox): tools run as you, and may read, change and send whatever you can';
