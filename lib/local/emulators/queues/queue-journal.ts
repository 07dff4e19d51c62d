import * as v from 'valibot';
import { KeptFile } from '../basis/kept-file.ts';

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
  readonly #file: KeptFile;

  private constructor(file: KeptFile) {
    this.#file = file;
  }

  /** The journal, and unfinished messages, oldest first. Without a file nothing is kept. */
  static async open(path?: string): Promise<[QueueJournal, readonly Living[]]> {
    const file = new KeptFile(path);
    const living = new Map<string, Living>();
    for (const { message, ...entry } of await file.readLines(EntrySchema))
      if (message) living.set(entry.id, { ...entry, message });
      else living.delete(entry.id);
    const kept = [...living.values()];
    await file.writeLines(kept);
    return [new QueueJournal(file), kept];
  }

  async note(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length > 0) await this.#file.append(entries);
  }
}
