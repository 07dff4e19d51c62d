import { seal, unseal } from '../basis/sealing.ts';
import type { PasskeyArtifacts } from './passkey-artifacts.ts';

const PURPOSE = 'signing-artifacts';

/**
 * Encrypts signing artifacts with a key derived from an authorization code, so that they can be read only when the code is
 * exchanged.
 */
export function sealArtifacts(code: string, artifacts: PasskeyArtifacts): string {
  return seal(code, PURPOSE, JSON.stringify(artifacts));
}

export function unsealArtifacts(code: string, sealed: string | undefined): PasskeyArtifacts | undefined {
  const opened = sealed === undefined ? undefined : unseal(code, PURPOSE, sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as PasskeyArtifacts);
}
