#!/usr/bin/env node
import { isSupportedNode, refuseNode } from './cli/node-version.ts';

const argv = process.argv.slice(2);
const { node } = process.versions;
// The rest does not even load on an old Node.
if (!isSupportedNode(node)) process.exitCode = refuseNode(node, argv);
else
  void import('./cli/main.ts')
    .then(({ main }) => main(argv))
    .then((code) => {
      process.exitCode = code;
    });
