import type { AuthenticationMethod, MethodUse } from '../ports/flows.ts';

type Kind = 'mail' | 'phone' | 'passkey' | 'social' | 'direct';

/** Two methods of one kind prove one thing twice: a mailbox that answers a link answers a code as well. */
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

/** How a session was authenticated: `amr` always as an array, `acr` only when a second kind of factor was used. */
export function authenticationContext(uses: readonly MethodUse[]): {
  readonly amr: readonly string[];
  readonly acr?: 'mfa';
} {
  const methods = [...new Set(uses.map(({ method }) => method))];
  const kinds = new Set(methods.map(kindOf));
  return kinds.size > 1 ? { amr: [...methods, 'mfa'], acr: 'mfa' } : { amr: methods };
}
