import { createdKey, disableKey, sealedKeyPair } from '../../../shared/aws/signing-keys/make-keys.ts';
import { SIGNING_MODES, type SigningMode } from '../../../shared/aws/signing-keys/modes.ts';
import type { MadeKey } from '../../../shared/aws/signing-keys/record.ts';

/** What a rotation needs of KMS. */
export interface KeyMaker {
  /** What the functions have the permission to use; new keys are made in the first. */
  readonly modes: readonly SigningMode[];
  create(mode: SigningMode): Promise<MadeKey>;
  disable(keyArn: string): Promise<void>;
}

interface KeyMakerSettings {
  readonly modes?: readonly SigningMode[];
  readonly envelopeKeyId: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Absent in the local server, whose keys look at none. */
  readonly policy?: string;
}

export function keyMaker(settings: KeyMakerSettings): KeyMaker {
  const { modes = SIGNING_MODES, envelopeKeyId, tags, policy } = settings;
  return {
    modes,
    create: (mode) =>
      mode === 'kms'
        ? createdKey({ tags, ...(policy === undefined ? {} : { policy }) })
        : sealedKeyPair(envelopeKeyId, tags),
    disable: disableKey,
  };
}
