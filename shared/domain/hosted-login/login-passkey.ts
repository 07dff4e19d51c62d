import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Passkey, User } from '../../ports/people.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import type { PasskeyArtifacts } from '../passkeys/passkey-artifacts.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import type { LoginProgress } from './login-transaction.ts';

/** Passkeys in a login on the hosted pages. */

/**
 * Whether the hosted pages take the application's passkeys: configured, and with the pages' host or a parent domain as RP
 * ID. Browsers allow a page no other (WebAuthn L3 §5.1.3).
 */
export function takesPasskeys(
  application: Application,
  settings: { readonly browserOrigin: string },
): boolean {
  const { rpId } = relyingPartyOf(application, settings);
  const host = new URL(settings.browserOrigin).hostname;
  return application.loginPreferences?.passkey !== undefined && (host === rpId || host.endsWith(`.${rpId}`));
}

/** The progress after a proven passkey: its factor, its user and the proof of an approval. */
export function withPasskey(
  progress: LoginProgress,
  { userId, asleepBefore }: User,
  use: MethodUse,
  passkeyId: string,
  artifacts: PasskeyArtifacts | undefined,
): LoginProgress {
  const { pending: _, ...before } = progress;
  return omitUndefined<LoginProgress>({
    ...before,
    proven: [...progress.proven, use],
    userId,
    passkeyId,
    wokenAt: before.userId === undefined ? asleepBefore : before.wokenAt,
    artifacts: artifacts ?? progress.artifacts,
  });
}

/**
 * The progress after a first proof of an address beside a passkey that a client has bound, which wakes nothing itself. It sleeps
 * with the rest, and the proof wakes it.
 */
export function withAsleep({ passkeyId, ...progress }: LoginProgress, wokenAt: number): LoginProgress {
  const proven = progress.proven.map((use) => ({ ...(passkeyId && { asleep: passkeyId }), ...use }));
  return { ...progress, proven, wokenAt };
}

/** The progress after the offer of a new passkey, made or declined. */
export function withOffer(progress: LoginProgress, made: Passkey | undefined): LoginProgress {
  return omitUndefined<LoginProgress>({ ...progress, offered: true, newPasskey: made });
}
