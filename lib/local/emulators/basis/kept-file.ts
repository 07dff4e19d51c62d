import { appendFile, open, readFile, rename } from 'node:fs/promises';
import * as v from 'valibot';

const linesOf = (entries: readonly object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** A file of the data folder, whose writes come one after the other. Without a path nothing is kept. */
export class KeptFile {
  readonly #path: string | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string | undefined) {
    this.#path = path;
  }

  async read(): Promise<string | undefined> {
    return this.#path === undefined ? undefined : readFileIfThere(this.#path);
  }

  /** The lines that fit the schema. The last one may be torn by a `kill -9`; it is dropped. */
  async readLines<Schema extends v.GenericSchema>(schema: Schema): Promise<v.InferOutput<Schema>[]> {
    const parsed = v.pipe(v.string(), v.parseJson(), schema);
    return ((await this.read()) ?? '').split('\n').flatMap((line) => {
      const result = v.safeParse(parsed, line);
      return result.success ? [result.output] : [];
    });
  }

  write(content: object): Promise<void> {
    return this.#next((path) => writeFileAtomically(path, JSON.stringify(content)));
  }

  writeLines(entries: readonly object[]): Promise<void> {
    return this.#next((path) => writeFileAtomically(path, linesOf(entries)));
  }

  append(entries: readonly object[]): Promise<void> {
    return this.#next((path) => appendFile(path, linesOf(entries)));
  }

  #next(work: (path: string) => Promise<void>): Promise<void> {
    const path = this.#path;
    if (path === undefined) return Promise.resolve();
    this.#writing = this.#writing.then(() => work(path));
    return this.#writing;
  }
}

/** Replaces the file as a whole: a reader, or a start after `kill -9`, sees the old content or the new one. */
async function writeFileAtomically(path: string, content: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

async function readFileIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
