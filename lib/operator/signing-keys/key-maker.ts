import { createKey, createSealedKeyPair, disableKey } from '../../../shared/aws/signing-keys/make-keys.ts';
import { SIGNING_MODES, type SigningMode } from '../../../shared/aws/signing-keys/modes.ts';
import type { MadeKey } from '../../../shared/aws/signing-keys/record.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';

/** Object that creates and disables signing keys in KMS. */
export interface KeyMaker {
  /** Modes that functions may use. New keys use the first mode. */
  readonly modes: readonly SigningMode[];
  create(mode: SigningMode, alg: SigningKey['alg']): Promise<MadeKey>;
  disable(keyArn: string): Promise<void>;
}

interface KeyMakerSettings {
  readonly modes?: readonly SigningMode[];
  readonly envelopeKeyId: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Returns the key policy for an algorithm. Absent for a local server, whose keys have no policy. */
  readonly createPolicy?: (alg: SigningKey['alg']) => string;
}

export function keyMaker(settings: KeyMakerSettings): KeyMaker {
  const { modes = SIGNING_MODES, envelopeKeyId, tags, createPolicy } = settings;
  return {
    modes,
    create: (mode, alg) =>
      mode === 'kms'
        ? createKey({ alg, tags, ...(createPolicy === undefined ? {} : { policy: createPolicy(alg) }) })
        : createSealedKeyPair(envelopeKeyId, tags, alg),
    disable: disableKey,
  };
}
