import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Passkey, User } from '../../ports/people.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import type { PasskeyArtifacts } from '../passkeys/passkey-artifacts.ts';
import { toRelyingParty } from '../passkeys/relying-party.ts';
import { currentGeneration } from '../trust/generations.ts';
import type { LoginProgress } from './login-transaction.ts';

/**
 * Returns true if the hosted pages can use the application's passkeys: they are configured, and their RP ID is the host of the
 * pages or a parent domain. Browsers accept no other RP ID there (WebAuthn L3 §5.1.3).
 */
export function acceptsPasskeys(
  application: Application,
  settings: { readonly browserOrigin: string },
): boolean {
  const { rpId } = toRelyingParty(application, settings);
  const host = new URL(settings.browserOrigin).hostname;
  return application.loginPreferences?.passkey !== undefined && (host === rpId || host.endsWith(`.${rpId}`));
}

/** Returns a login's progress extended by a verified passkey: its proof, its user and the evidence of an approval. */
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
    generation: before.userId === undefined ? currentGeneration(user) : before.generation,
    artifacts: artifacts ?? progress.artifacts,
  });
}

/** Returns a login's progress after the user has created the offered passkey or declined it. */
export function withOffer(progress: LoginProgress, made: Passkey | undefined): LoginProgress {
  return omitUndefined<LoginProgress>({ ...progress, offered: true, newPasskey: made });
}
