import { run } from './otl/program.ts';

// A closed pipe is not an error: `otl … | head` reads only the beginning of the output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Sets the exit code instead of calling `process.exit`, which would lose output that is still being written to a pipe.
process.exitCode = await run(process.argv.slice(2));
