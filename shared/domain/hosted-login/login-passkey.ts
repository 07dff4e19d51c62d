import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Passkey } from '../../ports/people.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import type { PasskeyArtifacts } from '../passkeys/passkey-artifacts.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import type { LoginProgress } from './login-transaction.ts';

/** Passkeys in a login on the hosted pages. */

/**
 * Whether the hosted pages take the application's passkeys: it has them on, and its RP ID is the pages' host or above it,
 * for a browser lets a page use no other (WebAuthn L3 §5.1.3).
 */
export function takesPasskeys(
  application: Application,
  settings: { readonly browserOrigin: string },
): boolean {
  const { rpId } = relyingPartyOf(application, settings);
  const host = new URL(settings.browserOrigin).hostname;
  return application.loginPreferences?.passkey !== undefined && (host === rpId || host.endsWith(`.${rpId}`));
}

/** What a passkey adds to a login: the factor, whose it is, and what proves an approval. */
export function withPasskey(
  progress: LoginProgress,
  userId: string,
  use: MethodUse,
  artifacts: PasskeyArtifacts | undefined,
): LoginProgress {
  const { pending: _, ...before } = progress;
  return omitUndefined<LoginProgress>({
    ...before,
    proven: [...progress.proven, use],
    userId,
    artifacts: artifacts ?? progress.artifacts,
  });
}

/** A passkey that was made on the way, or the person's word that they want none now. */
export function withOffer(progress: LoginProgress, made: Passkey | undefined): LoginProgress {
  return omitUndefined<LoginProgress>({ ...progress, offered: true, newPasskey: made });
}
