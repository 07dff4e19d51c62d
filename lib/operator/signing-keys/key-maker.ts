import { createdKey, disableKey, sealedKeyPair } from '../../../shared/aws/signing-keys/make-keys.ts';
import { SIGNING_MODES, type SigningMode } from '../../../shared/aws/signing-keys/modes.ts';
import type { MadeKey } from '../../../shared/aws/signing-keys/record.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';

/** Makes and disables signing keys in KMS. */
export interface KeyMaker {
  /** The modes that functions may use; new keys get the first. */
  readonly modes: readonly SigningMode[];
  create(mode: SigningMode, alg: SigningKey['alg']): Promise<MadeKey>;
  disable(keyArn: string): Promise<void>;
}

interface KeyMakerSettings {
  readonly modes?: readonly SigningMode[];
  readonly envelopeKeyId: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Absent for the local server: its keys have no policy. */
  readonly policyOf?: (alg: SigningKey['alg']) => string;
}

export function keyMaker(settings: KeyMakerSettings): KeyMaker {
  const { modes = SIGNING_MODES, envelopeKeyId, tags, policyOf } = settings;
  return {
    modes,
    create: (mode, alg) =>
      mode === 'kms'
        ? createdKey({ alg, tags, ...(policyOf === undefined ? {} : { policy: policyOf(alg) }) })
        : sealedKeyPair(envelopeKeyId, tags, alg),
    disable: disableKey,
  };
}
