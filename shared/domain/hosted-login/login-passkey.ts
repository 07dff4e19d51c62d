import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Passkey, User } from '../../ports/people.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import type { PasskeyArtifacts } from '../passkeys/passkey-artifacts.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import { todays } from '../trust/generations.ts';
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
  user: User,
  use: MethodUse,
  artifacts: PasskeyArtifacts | undefined,
): LoginProgress {
  const { pending: _, ...before } = progress;
  return omitUndefined<LoginProgress>({
    ...before,
    proven: [...progress.proven, use],
    userId: user.userId,
    passkeyId: use.credential,
    generation: before.userId === undefined ? todays(user) : before.generation,
    artifacts: artifacts ?? progress.artifacts,
  });
}

/** The progress after the offer of a new passkey, made or declined. */
export function withOffer(progress: LoginProgress, made: Passkey | undefined): LoginProgress {
  return omitUndefined<LoginProgress>({ ...progress, offered: true, newPasskey: made });
}
