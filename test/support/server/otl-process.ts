import { Readable } from 'node:stream';
import { run } from '../../../bin/otl/program.ts';
import { restoreClock } from '../../../lib/local/emulators/basis/clock.ts';

// Runs otl command lines one after another in this process, each with its own environment and output. See `otlWith`.

let last = Promise.resolve();

function captured(stream: NodeJS.WriteStream): () => string {
  const write = stream.write;
  let text = '';
  stream.write = ((chunk: string | Uint8Array) => {
    text += chunk.toString();
    return true;
  }) as typeof stream.write;
  return () => {
    stream.write = write;
    return text;
  };
}

interface Order {
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly input: string;
}

process.on('message', ({ id, env, args, input }: Order) => {
  last = last.then(async () => {
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    restoreClock();
    Object.defineProperty(process, 'stdin', {
      configurable: true,
      value: Readable.from([Buffer.from(input)]),
    });
    const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
    const code = await run(args);
    process.send?.({ id, code, stdout: stdout(), stderr: stderr() });
  });
});
process.on('disconnect', () => process.exit());
