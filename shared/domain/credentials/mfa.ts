import type { AuthenticationMethod, MethodUse, Session } from '../../ports/flows.ts';

type Kind = 'mail' | 'phone' | 'passkey' | 'social' | 'direct';

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

/** The last use of each method, oldest first. */
export function lastUses(...uses: readonly MethodUse[]): readonly MethodUse[] {
  return uses.filter(({ method }, index) => !uses.slice(index + 1).some((later) => later.method === method));
}

/** `amr` and `acr` of a session (OIDC Core §2); `acr` only with two kinds of factors. */
export function authenticationContext(uses: readonly MethodUse[]): {
  readonly amr: readonly string[];
  readonly acr?: 'mfa';
} {
  const methods = [...new Set(uses.map(({ method }) => method))];
  const kinds = new Set(methods.map(kindOf));
  return kinds.size > 1 ? { amr: [...methods, 'mfa'], acr: 'mfa' } : { amr: methods };
}

/** Whether only the first of two factors was given: such a session opens nothing. */
export function isHalfLogin({ awaitsSecondFactor, methods }: Session): boolean {
  return awaitsSecondFactor === true && authenticationContext(methods).acr !== 'mfa';
}
