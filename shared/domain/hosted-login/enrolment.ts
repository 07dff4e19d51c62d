// Passkey registration on the hosted pages: a client requests a token and sends its user to the pages with the token.
import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { ClientOfTenant, Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { newId } from '../basis/random.ts';
import { requireRedirectUri } from '../basis/redirect-uri.ts';
import { requirePreference } from '../credentials/login-preferences.ts';
import { externalIdAt } from '../identifiers/external-ids.ts';
import { BUILT_IN_TYPES, findHolderId, findOwner, normaliseIdentifier } from '../identifiers/identifier.ts';
import { currentGeneration, UNPROVEN_GENERATIONS } from '../trust/generations.ts';
import {
  findExternalUser,
  isExternal,
  readReportedUser,
  requireConsistentReport,
} from '../users/external-user.ts';
import { requireActive } from '../users/user-status.ts';
import { acceptsPasskeys } from './login-passkey.ts';
import { type LoginProgress, prepareLogin } from './login-transaction.ts';
import { requestWithoutCode } from './request-without-code.ts';

/** Finds the active user who has the name as an identifier of any built-in type. Throws `user_not_active`. */
async function findNamed(
  ports: PortsWith<'identifiers' | 'users.find'>,
  tenant: Tenant,
  name: string,
): Promise<User | undefined> {
  for (const type of BUILT_IN_TYPES) {
    const identifier = normaliseIdentifier(type, name);
    const userId = identifier && (await findHolderId(ports, tenant, identifier));
    const user = identifier && userId !== undefined && (await findOwner(ports, tenant, identifier, userId));
    if (user) return requireActive(user);
  }
  return undefined;
}

/**
 * Creates the token that opens the hosted passkey registration. The token is valid for five minutes and in one browser. If
 * public sign-up is on, an unknown person becomes a user with the passkey. Errors: `redirect_uri_not_allowed`,
 * `auth_login_preferences_missing`, `auth_login_preferences_absent`, `user_not_found`, `user_not_active`, `identifier_taken`,
 * and `system_invalid_input` if the external ID is not the user's, or if the hosted pages cannot use the RP ID.
 */
export async function startEnrolment(
  ports: PortsWith<'identifiers' | 'users.find' | 'loginTransactions.prepare'>,
  place: ClientOfTenant & { readonly now: number },
  asked: {
    readonly webauthn_identifier: string;
    readonly redirect_uri: string;
    readonly webauthn_display_name?: string | undefined;
    readonly external_user_id?: string | undefined;
    readonly user_email?: string | undefined;
  },
  settings: { readonly browserOrigin: string },
): Promise<{ readonly token: string; readonly userId: string }> {
  const { client, tenant, application } = place;
  const redirectUri = requireRedirectUri(application, asked.redirect_uri);
  requirePreference(application, 'passkey');
  if (!acceptsPasskeys(application, settings))
    throw invalidInput('The hosted pages cannot use the RP ID of the application');
  const said = readReportedUser(asked);
  const given = isExternal(said) ? said : undefined;
  const named = await findNamed(ports, tenant, asked.webauthn_identifier);
  if (named) await requireConsistentReport(ports, place, named, said);
  const user = named ?? (given && (await findExternalUser(ports, place, given)));
  if (!user && !(given && application.publicSignup)) throw new ServiceError('user_not_found');
  const userId = user?.userId ?? newId();
  const enrolment = omitUndefined<NonNullable<LoginProgress['enrolment']>>({
    userName: asked.webauthn_identifier,
    displayName: asked.webauthn_display_name,
    externalUserId: asked.external_user_id ?? (user && externalIdAt(user, application)),
    newUser: user ? undefined : given,
  });
  const request = requestWithoutCode(client.clientId, redirectUri);
  const generation = currentGeneration(user ?? { generations: UNPROVEN_GENERATIONS });
  const progress = { proven: [], userId, enrolment, generation };
  return { token: await prepareLogin(ports, place, request, progress), userId };
}
