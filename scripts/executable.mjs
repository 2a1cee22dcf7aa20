import { chmodSync } from 'node:fs';

// A bundler writes files; npm makes commands executable when it installs, a checkout does not.
chmodSync(new URL('../dist/cli/bin.cjs', import.meta.url), 0o755);
