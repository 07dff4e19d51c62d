import { run } from './otl/program.ts';

/** Whoever reads only the beginning of the output, as `head` does, has seen enough. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Not `process.exit`: what is still on its way into a pipe would be lost.
process.exitCode = await run(process.argv.slice(2));
