import type { AuthenticationMethod, MethodUse, Session } from '../../ports/flows.ts';

export type Kind = 'mail' | 'phone' | 'passkey' | 'social' | 'direct';

/** Two methods of one kind prove one thing: a mailbox that answers a link also answers a code. */
const KIND: Readonly<Record<AuthenticationMethod, Kind>> = {
  eml: 'mail',
  eotp: 'mail',
  sms: 'phone',
  webauthn: 'passkey',
  social: 'social',
  otp: 'direct',
};

export function kindOf(method: AuthenticationMethod): Kind {
  return KIND[method];
}

/** The last use of each method, oldest first; one that counts beside others goes before one that counts alone. */
export function lastUses(...uses: readonly MethodUse[]): readonly MethodUse[] {
  const noted = usesToNote(uses, uses);
  return noted.filter(
    ({ method }, index) => !noted.slice(index + 1).some((later) => later.method === method),
  );
}

/** The kinds of factors that these uses give; what sleeps gives none. */
export function kindsOf(uses: readonly MethodUse[]): ReadonlySet<Kind> {
  const counting = uses.filter(({ alone, asleep }) => !alone && asleep === undefined);
  return new Set(counting.map(({ method }) => kindOf(method)));
}

/** What a session notes of new uses: one that counts alone takes nothing from a method that counts beside others. */
export function usesToNote(before: readonly MethodUse[], uses: readonly MethodUse[]): readonly MethodUse[] {
  return uses.filter(
    (use) => !use.alone || !before.some(({ method, alone }) => method === use.method && !alone),
  );
}

/** `amr` and `acr` of a session (OIDC Core §2); `acr` only with two kinds of factors. What sleeps proves nothing. */
export function authenticationContext(uses: readonly MethodUse[]): {
  readonly amr: readonly string[];
  readonly acr?: 'mfa';
} {
  const awake = uses.filter(({ asleep }) => asleep === undefined);
  const methods = [...new Set(awake.map(({ method }) => method))];
  return kindsOf(uses).size > 1 ? { amr: [...methods, 'mfa'], acr: 'mfa' } : { amr: methods };
}

/** Whether only the first of two factors was given: such a session opens nothing. */
export function isHalfLogin({ awaitsSecondFactor, methods }: Session): boolean {
  return awaitsSecondFactor === true && authenticationContext(methods).acr !== 'mfa';
}
