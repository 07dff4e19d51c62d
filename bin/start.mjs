// Not by name: an old Node, which has no such export, would end before it is told what it lacks.
import module from 'node:module';

const WANTED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < WANTED) {
  console.error(
    `One-Time Login needs Node ${WANTED} and found ${process.versions.node}: run "npm install" without --ignore-scripts, which brings it, or use Node ${WANTED}.`,
  );
  process.exit(1);
}
// A third less work for each start but the first; a directory that cannot be written is no failure.
module.enableCompileCache();
await import('./start.ts');
