import type { AddressFactorType } from '../records/channels.ts';

// Trust in credentials. functions/TRUST.md has tables with the effects of each state.

/**
 * Type of factor that a user logs in with. Adding a credential requires proofs of two different factor types. Email and phone
 * codes together are not multi-factor authentication in the sense of NIST SP 800-63B-4.
 */
export type FactorType = AddressFactorType | 'passkey' | 'social';

/**
 * State of a credential. `claimed`: an address that the user has not proven. `verified`: proven in a login without the factors
 * required to add credentials; it can log in but is not a factor. `proven`: it can log in and is a factor. `vouched`: added by
 * a client without a proof; it can log in but is not a factor.
 */
export type TrustLevel = 'claimed' | 'verified' | 'proven' | 'vouched';

/** Trust in an address, an identity provider account, a passkey or a device key. */
export interface Trust {
  readonly standing: TrustLevel;
  /** Applications in which the credential can log in: `*` for the whole tenant, otherwise the ID of one application. */
  readonly scope: string;
  /** Credential generation in which the credential was added. It must be one of the user's `valid` generations. */
  readonly generation: number;
  /** Time at which the credential got its current `standing`, in epoch seconds. */
  readonly since: number;
}

/** Credential generations of a user. New credentials get the last number in `valid`. No number is used for two generations. */
export interface Generations {
  readonly valid: readonly number[];
  /**
   * Highest number used so far. Every change of `valid` increases it, so that a conditional write can detect concurrent
   * changes.
   */
  readonly highest: number;
}

/**
 * Session, code or login that is bound to a credential generation. It has ended when the user's `valid` generations no longer
 * contain this generation.
 */
export interface GenerationBound {
  readonly generation: number;
}
