import { seal, unseal } from '../basis/sealing.ts';
import type { PasskeyArtifacts } from './passkey-artifacts.ts';

const PURPOSE = 'signing-artifacts';

/** Seals artifacts under the code: only its exchange can read what was approved. */
export function sealArtifacts(code: string, artifacts: PasskeyArtifacts): string {
  return seal(code, PURPOSE, JSON.stringify(artifacts));
}

export function openArtifacts(code: string, sealed: string | undefined): PasskeyArtifacts | undefined {
  const opened = sealed === undefined ? undefined : unseal(code, PURPOSE, sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as PasskeyArtifacts);
}
