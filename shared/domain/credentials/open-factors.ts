import type { Application } from '../../ports/directory.ts';
import type { AuthenticationMethod, MethodUse } from '../../ports/flows.ts';
import type { LoginPreferences } from '../../ports/login-preferences.ts';
import type { User } from '../../ports/people.ts';
import type { ProviderName } from '../../ports/providers.ts';
import { isProvenAt } from '../identifiers/proven-address.ts';
import { mayJoin } from '../identifiers/sleep.ts';
import { isSecondAt } from './good-at.ts';
import { kindOf } from './mfa.ts';

interface Factor {
  /** As `error=mfa_required` names it. */
  readonly name: string;
  readonly method: AuthenticationMethod;
  readonly preference: keyof LoginPreferences;
  readonly address: 'email' | 'phoneNumber';
}

const FACTORS: readonly Factor[] = [
  { name: 'email', method: 'eml', preference: 'link', address: 'email' },
  { name: 'sms', method: 'sms', preference: 'sms', address: 'phoneNumber' },
  { name: 'email-otp', method: 'eotp', preference: 'email', address: 'email' },
];

/**
 * The methods that this user can still give as a second factor: configured by the application, to a proven address that is
 * not at risk, or by an account at a provider, and of a kind not used yet. An unproven address may be the attacker's (NIST SP
 * 800-63B-4 §4.1.2.1).
 */
export function openFactors(
  application: Application,
  user: User | undefined,
  proven: readonly MethodUse[],
): readonly string[] {
  const kinds = new Set(proven.map(({ method }) => kindOf(method)));
  const messages = FACTORS.filter(
    ({ method, preference, address }) =>
      application.loginPreferences?.[preference] !== undefined &&
      user?.[address] !== undefined &&
      isProvenAt(user[address], application) &&
      user[address].risk === undefined &&
      isSecondAt(user[address], application) &&
      mayJoin(user, user[address], proven) &&
      !kinds.has(kindOf(method)),
  ).map(({ name }) => name);
  return [...messages, ...(user && !kinds.has('social') ? linkedProviders(application, user, proven) : [])];
}

/** The providers of the application where the user has an account that may be given beside these proofs. */
export function linkedProviders(
  application: Application,
  user: User,
  proven: readonly MethodUse[],
): readonly ProviderName[] {
  const { loginPreferences } = application;
  const open = user.identities.filter(
    (identity) => isSecondAt(identity, application) && mayJoin(user, identity, proven),
  );
  return open.flatMap(({ provider, issuer }) => {
    const name = provider as ProviderName;
    const preference = loginPreferences?.[name];
    return preference && preference.enabled !== false && preference.issuer === issuer ? [name] : [];
  });
}
