import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

// Maps each line of the product code to the test files that run the line. The data come from a test run with `COVERAGE_FOLDER`.

const ROOT = join(import.meta.dirname, '../..');
/** Paths of the product code that is mutated. Tables of operations and of the console's words contain no logic. */
export const MUTATED =
  /^(?:shared\/(?:domain|flows|dynamo)|functions)\/(?!.*rows\.ts$|console\/words\/(?!find-words)).*\.ts$/;

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

interface Noted {
  readonly test: string;
  readonly seconds: number;
  /** Hash and executed lines of each source file. */
  readonly lines: Readonly<Record<string, readonly [hash: string, ...lines: readonly number[]]>>;
}

/** Returns the numbers of the executed lines, whose first character is in an executed part of a function. */
function linesRun(text: string, functions: readonly Profiler.FunctionCoverage[]): readonly number[] {
  const ranges = functions.filter(
    ({ isBlockCoverage, ranges: [whole] }) => isBlockCoverage || whole?.count === 0,
  );
  const inner = ranges.filter(
    ({ ranges: [whole] }) => (whole?.endOffset ?? 0) - (whole?.startOffset ?? 0) < text.length - 1,
  );
  const parts = inner.flatMap((each) => each.ranges);
  let offset = 0;
  return text.split('\n').flatMap((line, index) => {
    const at = offset + line.length - line.trimStart().length;
    offset += line.length + 1;
    const around = parts.filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset);
    const [innermost] = around.toSorted(
      (a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset),
    );
    return innermost && innermost.count > 0 ? [index + 1] : [];
  });
}

let session: Session | undefined;

function taken(): readonly Profiler.ScriptCoverage[] {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  session?.post('Profiler.takePreciseCoverage', (_, { result }) => {
    scripts = result;
  });
  return scripts;
}

/** Starts to record the lines that a test file runs in this process. Returns a function that saves them. */
export function noteLines(folder: string, test: string): () => void {
  if (!session) {
    session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    mkdirSync(folder, { recursive: true });
  }
  taken();
  const began = performance.now();
  return () => {
    const lines: Record<string, readonly [string, ...number[]]> = {};
    for (const { url, functions } of taken()) {
      const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
      if (!MUTATED.test(path)) continue;
      const text = readFileSync(join(ROOT, path), 'utf8');
      const run = linesRun(text, functions);
      if (run.length > 0) lines[path] = [hashText(text), ...run];
    }
    const noted: Noted = { test: relative(ROOT, test), seconds: (performance.now() - began) / 1000, lines };
    writeFileSync(join(folder, `${hashText(noted.test)}.json`), JSON.stringify(noted));
  };
}

export interface TestOfLine {
  readonly test: string;
  readonly seconds: number;
}

export interface Coverage {
  readonly sources: ReadonlySet<string>;
  /**
   * Returns the test files that run a line, the most suitable first: first the files in test/domain and test/stores, then the
   * files that run most lines of the source file. For a line outside functions, returns all tests that run the source file.
   */
  findTests(path: string, line: number): readonly TestOfLine[];
}

const farness = ({ test }: TestOfLine): number => (/^test\/(?:domain|stores)\//.test(test) ? 0 : 1);

/** Reads the recorded coverage. Ignores source files that have changed since the coverage was recorded. */
export function readCoverage(folder: string): Coverage {
  const bySource = new Map<string, (TestOfLine & { readonly run: ReadonlySet<number> })[]>();
  const now = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    const { test, seconds, lines } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Noted;
    for (const [path, [hash, ...run]] of Object.entries(lines)) {
      if (!now.has(path)) now.set(path, hashText(readFileSync(join(ROOT, path), 'utf8')));
      if (now.get(path) !== hash) continue;
      bySource.set(path, [...(bySource.get(path) ?? []), { test, seconds, run: new Set(run) }]);
    }
  }
  return {
    sources: new Set(bySource.keys()),
    findTests(path, line) {
      const all = (bySource.get(path) ?? []).toSorted(
        (a, b) => farness(a) - farness(b) || b.run.size - a.run.size || a.seconds - b.seconds,
      );
      const running = all.filter(({ run }) => run.has(line));
      return running.length > 0 ? running : all;
    },
  };
}
