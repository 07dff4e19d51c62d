/** What a credential is worth. The tables of functions/CREDENTIALS.md say what follows from each state. */

/** What a user can prove. Binding asks for kinds, and two of them are two factors. */
export type Kind = 'mail' | 'phone' | 'passkey' | 'social';

/**
 * `claimed`: an address that the user has not proven. `verified`: proven in a login that lacked what binding asks; it logs in
 * and is no kind. `proven`: it logs in and is a kind. `vouched`: bound by a client alone; it logs in and is no kind.
 */
export type Standing = 'claimed' | 'verified' | 'proven' | 'vouched';

/** Of an address, an account at a provider, a passkey or a device key. */
export interface Trust {
  readonly standing: Standing;
  /** Where it logs in: `*` for the whole tenant, or the ID of one application. */
  readonly scope: string;
  /** The credential opens something while this is among the `counting` generations of the user. */
  readonly generation: number;
  /** When it got its standing, epoch seconds. */
  readonly since: number;
}

/** Of a user. What is bound now gets the last of `counting`. No number is used twice. */
export interface Generations {
  readonly counting: readonly number[];
  /** The highest number used; each change of `counting` moves it, so that writers can compare it. */
  readonly last: number;
}

/** Of a session, a code, or a login on its way: it is over when its generation no longer counts. */
export interface Begun {
  readonly generation: number;
}
