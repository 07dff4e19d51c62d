import { parseArgs } from 'node:util';
import { measureColdStart } from './cold-start.ts';
import { measureCpu } from './cpu.ts';
import { measureLoad } from './load.ts';
import { report } from './report.ts';
import { machineFacts } from './support/machine.ts';
import { measureThroughput } from './throughput.ts';

const USAGE = `npm run bench -- [options]

  --only <parts>       comma-separated: throughput, cpu, cold-start, load
                       (all but the last one)
  --seconds <n>        length of each throughput run (3), of load
  --concurrency <n,…>  flows under way at the same time (1,16)
  --runs <n>           fresh processes per function for the cold start (3)
  --json               the results as JSON
`;

const USUAL_PARTS = ['throughput', 'cpu', 'cold-start'] as const;
const PARTS = [...USUAL_PARTS, 'load'] as const;
type Part = (typeof PARTS)[number];

class UsageError extends Error {}

function positive(name: string, given: string): number {
  const number = Number(given);
  if (!(number > 0)) throw new UsageError(`--${name}: "${given}" is no number above 0`);
  return number;
}

function parseParts(given: string | undefined): readonly Part[] {
  const names = given?.split(',') ?? USUAL_PARTS;
  return names.map((name) => {
    const part = PARTS.find((each) => each === name);
    if (!part) throw new UsageError(`--only: there is no part "${name}"`);
    return part;
  });
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      seconds: { type: 'string', default: '3' },
      concurrency: { type: 'string', default: '1,16' },
      runs: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    json: values.json,
    parts: parseParts(values.only),
    seconds: positive('seconds', values.seconds),
    concurrency: values.concurrency.split(',').map((each) => positive('concurrency', each)),
    runs: positive('runs', values.runs),
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const machine = machineFacts();
  const wants = (part: Part) => options.parts.includes(part);
  const results = {
    machine,
    ...(wants('throughput') && { throughput: await measureThroughput(options) }),
    ...(wants('cpu') && { cpu: await measureCpu() }),
    ...(wants('cold-start') && { cold_start: await measureColdStart(options.runs) }),
    ...(wants('load') && {
      load: await measureLoad({ ...options, concurrency: Math.max(...options.concurrency) }),
    }),
  };
  process.stdout.write(options.json ? `${JSON.stringify(results, undefined, 2)}\n` : report(results));
}

try {
  await main();
} catch (error) {
  const isUsage =
    error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(isUsage ? `${(error as Error).message}\n\n${USAGE}` : `${(error as Error).stack}\n`);
  process.exit(isUsage ? 2 : 1);
}
