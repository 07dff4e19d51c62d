import { run } from './otl/program.ts';

/** A closed pipe is no error: `head` reads only the beginning. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Not `process.exit`: it would lose output still on its way into a pipe.
process.exitCode = await run(process.argv.slice(2));
