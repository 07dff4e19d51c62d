import { invalidInput } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { OpenIdProvider } from '../../ports/providers.ts';
import type { CreateInput } from '../../records/field.ts';
import { loginPreferencesFields } from '../../records/login-preferences.ts';
import { openIdProviderFields } from '../../records/providers.ts';
import { createRecord } from '../../records/record.ts';
import { canBeCalled, type LocalExceptions } from '../basis/redirect-uri.ts';
import { requireLogo } from '../sending/email-content.ts';

/**
 * Validates an issuer: `https`, no query, no fragment (OpenID Connect Discovery §3). The URL must be public, because the
 * service calls it.
 */
export function readIssuer(field: string, given: string, exceptions: LocalExceptions): string {
  const url = URL.parse(given);
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || !canBeCalled(url, exceptions))
    throw invalidInput(`${field}: must be a public https address without query and fragment`);
  return given;
}

/**
 * Validates the custom OpenID providers of an application. The given list replaces the current one. An unchanged issuer is not
 * validated again. Errors: `system_invalid_input`.
 */
export function readOpenIdProviders(
  { openidProviders: current = [] }: Application,
  given: readonly CreateInput<typeof openIdProviderFields>[],
  exceptions: LocalExceptions,
): readonly OpenIdProvider[] {
  return given.map((each, index) => {
    const { name } = each;
    const field = `openid_providers.${index}`;
    if (Object.hasOwn(loginPreferencesFields, name))
      throw invalidInput(`${field}.name: must not be the name of a built-in login method`);
    if (given.findIndex((other) => other.name === name) < index)
      throw invalidInput(`${field}.name: must be unique`);
    requireLogo(each.base64logo ?? undefined, `${field}.base64logo`);
    const known = current.find((other) => other.name === name)?.issuer;
    return createRecord(openIdProviderFields, {}, each, {
      issuer: (issuer) => (issuer === known ? issuer : readIssuer(`${field}.issuer`, issuer, exceptions)),
    });
  });
}
