import type { AuditFacts } from '../../ports/audit.ts';
import type { ClientSecret } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { wireDate } from '../basis/time.ts';

/**
 * When secrets of clients were last used, to the day: who takes an old one back sees first whether a server still has it.
 * The line of a request tells it, and the forwarder of events writes it: no login takes a call for it.
 */

const DATE_LENGTH = '2026-11-28'.length;
const dayOf = (time: string): string => time.slice(0, DATE_LENGTH);

/** The secrets of `day` that this container has told of. */
let told = new Set<string>();
let day = '';

/** What the line of a request says of the secret that its client has shown: something once a day in each container. */
export function factsOfSecret(secretId: string | undefined, at: number): Pick<AuditFacts, 'secretUsed'> {
  const today = dayOf(wireDate(at));
  if (day !== today) [day, told] = [today, new Set()];
  if (secretId === undefined || told.has(secretId)) return {};
  told.add(secretId);
  return { secretUsed: secretId };
}

export interface SecretUse {
  readonly clientId: string;
  readonly secretId: string;
  /** RFC 3339. */
  readonly time: string;
}

/** Writes the day once, however many tell of it at once. A secret that is gone meanwhile stays gone. */
export async function noteSecretUse(
  { clientRecords }: Using<'clientRecords.find' | 'clientRecords.replace'>,
  { clientId, secretId, time }: SecretUse,
): Promise<void> {
  const lastUsedOn = dayOf(time);
  for (;;) {
    const client = await clientRecords.find(clientId);
    const isDue = (own: ClientSecret) => own.secretId === secretId && (own.lastUsedOn ?? '') < lastUsedOn;
    if (!client?.secrets.some(isDue)) return;
    const secrets = client.secrets.map((own) => (isDue(own) ? { ...own, lastUsedOn } : own));
    if (await clientRecords.replace(client, { ...client, secrets })) return;
  }
}
