import { appendFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readFileIfThere, writeFileAtomically } from '../basis/atomic-file.ts';

const EntrySchema = v.object({
  queue: v.string(),
  id: v.string(),
  /** Absent: the message is done. */
  message: v.optional(
    v.object({ body: v.string(), visibleAt: v.number(), receives: v.number(), dead: v.boolean() }),
  ),
});
export type JournalEntry = v.InferOutput<typeof EntrySchema>;
type Living = JournalEntry & { readonly message: NonNullable<JournalEntry['message']> };

/** One line for each change of a message: unfinished messages survive a restart or `kill -9`. */
export class QueueJournal {
  readonly #file: string | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string | undefined) {
    this.#file = file;
  }

  /** The journal, and unfinished messages, oldest first. Without a file nothing is kept. */
  static async open(file?: string): Promise<[QueueJournal, readonly Living[]]> {
    if (file === undefined) return [new QueueJournal(undefined), []];
    const living = new Map<string, Living>();
    for (const { message, ...entry } of ((await readFileIfThere(file)) ?? '').split('\n').flatMap(parseLine))
      if (message) living.set(entry.id, { ...entry, message });
      else living.delete(entry.id);
    const kept = [...living.values()];
    await writeFileAtomically(file, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    return [new QueueJournal(file), kept];
  }

  async note(entries: readonly JournalEntry[]): Promise<void> {
    const file = this.#file;
    if (file === undefined || entries.length === 0) return;
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    this.#writing = this.#writing.then(() => appendFile(file, lines));
    await this.#writing;
  }
}

/** The last line may be torn by a `kill -9`; it is dropped. */
function parseLine(line: string): JournalEntry[] {
  try {
    const parsed = v.safeParse(EntrySchema, JSON.parse(line));
    return parsed.success ? [parsed.output] : [];
  } catch {
    return [];
  }
}
