import type { AuditFacts } from '../../ports/audit.ts';
import type { ClientSecret } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { toWireDate } from '../basis/time.ts';

// Date on which a client secret was last used. Before revoking an old secret, an admin can see whether a server still uses it.
// The log line of a request reports the use, and the event forwarder stores the date, so that logins need no additional write.

const DATE_LENGTH = '2026-11-28'.length;
const toDay = (time: string): string => time.slice(0, DATE_LENGTH);

/** Secrets whose use this container has already logged on `loggedDay`. */
let logged = new Set<string>();
let loggedDay = '';

/** Returns the log line field that records the use of a client secret. The field is set once a day per secret and container. */
export function recordSecretUse(secretId: string | undefined, at: number): Pick<AuditFacts, 'secretUsed'> {
  const today = toDay(toWireDate(at));
  if (loggedDay !== today) [loggedDay, logged] = [today, new Set()];
  if (secretId === undefined || logged.has(secretId)) return {};
  logged.add(secretId);
  return { secretUsed: secretId };
}

export interface SecretUse {
  readonly clientId: string;
  readonly secretId: string;
  /** Time at which the secret was used (RFC 3339). */
  readonly time: string;
}

/** Stores the day of a secret's last use only once, even if several events report it. Ignores secrets that no longer exist. */
export async function storeSecretUse(
  { clientRecords }: PortsWith<'clientRecords.find' | 'clientRecords.replace'>,
  { clientId, secretId, time }: SecretUse,
): Promise<void> {
  const lastUsedOn = toDay(time);
  for (;;) {
    const client = await clientRecords.find(clientId);
    const isOutdated = (own: ClientSecret) =>
      own.secretId === secretId && (own.lastUsedOn ?? '') < lastUsedOn;
    if (!client?.secrets.some(isOutdated)) return;
    const secrets = client.secrets.map((own) => (isOutdated(own) ? { ...own, lastUsedOn } : own));
    if (await clientRecords.replace(client, { ...client, secrets })) return;
  }
}
