import { createdKey, disableKey, sealedKeyPair } from '../../../shared/aws/signing-keys/make-keys.ts';
import { SIGNING_MODES, type SigningMode } from '../../../shared/aws/signing-keys/modes.ts';
import type { MadeKey } from '../../../shared/aws/signing-keys/record.ts';

/** Makes and disables signing keys in KMS. */
export interface KeyMaker {
  /** The modes that functions may use; new keys get the first. */
  readonly modes: readonly SigningMode[];
  create(mode: SigningMode): Promise<MadeKey>;
  disable(keyArn: string): Promise<void>;
}

interface KeyMakerSettings {
  readonly modes?: readonly SigningMode[];
  readonly envelopeKeyId: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Absent for the local server: its keys have no policy. */
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
