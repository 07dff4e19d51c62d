#!/usr/bin/env node
// Not by name: an old Node without this export would end before the message below.
import module from 'node:module';

const WANTED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < WANTED) {
  console.error(
    `otl needs Node ${WANTED} and found ${process.versions.node}: run "npm install" without --ignore-scripts, which brings it, or use Node ${WANTED}.`,
  );
  process.exit(1);
}
// Halves the time to the first output; works without it when the directory is not writable.
module.enableCompileCache();
await import('./otl.ts');
