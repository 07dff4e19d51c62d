#!/usr/bin/env node
// A named import would make an old Node version, which lacks that export, fail before it prints the message below.
import module from 'node:module';

const WANTED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < WANTED) {
  console.error(
    `otl needs Node ${WANTED}, but this is Node ${process.versions.node}. Run "npm install" without --ignore-scripts, which installs it, or use Node ${WANTED}.`,
  );
  process.exit(1);
}
// The compile cache halves the time to the first output. If its directory is not writable, `otl` runs without the cache.
module.enableCompileCache();
await import('./otl.ts');
