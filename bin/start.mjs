#!/usr/bin/env node
// A named import would make an old Node version, which lacks that export, fail before it prints the message below.
import module from 'node:module';

const WANTED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < WANTED) {
  console.error(
    `One-Time Login needs Node ${WANTED}, but this is Node ${process.versions.node}. Run "npm install" without --ignore-scripts, which installs it, or use Node ${WANTED}.`,
  );
  process.exit(1);
}
// The compile cache saves a third of the work of later starts. If its directory is not writable, the server runs without it.
module.enableCompileCache();
await import('./start.ts');
