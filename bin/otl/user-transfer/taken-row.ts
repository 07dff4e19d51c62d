// Reads the importable data of a row, and the names of the fields that are not imported.

import { omitUndefined } from '../../../shared/domain/basis/omit-undefined.ts';
import { findProvidersOfAccount } from '../../../shared/domain/credentials/login-preferences.ts';
import { withExternalApplication } from '../../../shared/domain/identifiers/external-ids.ts';
import { toPublicKeyInfo } from '../../../shared/domain/passkeys/passkey.ts';
import { isProvider } from '../../../shared/domain/social/provider.ts';
import { chooseApplications } from '../../../shared/domain/users/create-user.ts';
import { invalidInput } from '../../../shared/errors/service-error.ts';
import { check } from '../../../shared/http/parse.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import type { ExternalId, Passkey, UpstreamAccount, UserFields } from '../../../shared/ports/people.ts';
import { createDialect } from '../../../shared/providers/registry.ts';
import { toSnakeCase } from '../../../shared/records/field.ts';
import { nameFields } from '../../../shared/records/profile.ts';
import { isBuiltIn } from '../../../shared/records/providers.ts';
import {
  accountEntries,
  passkeyEntries,
  type TrustedImportFields,
  trustedFields,
} from '../../../shared/schemas/imported-users.ts';
import { CreateUserBody } from '../../../shared/schemas/users.ts';
import { hasContent, isObject, parseText, readDate } from './conversions.ts';

export interface ImportTerms {
  /** All applications of the tenant into which the users are imported. */
  readonly applications: readonly Application[];
  /** IDs of the applications to which users belong if their rows name no application. */
  readonly named?: readonly string[] | undefined;
  /**
   * True if the option `--trust-verified` is set: addresses, passkeys and other data that the previous system has verified are
   * imported as proven.
   */
  readonly trusts?: boolean;
  readonly keepsIds?: boolean;
  /** RP ID for passkeys whose rows name no RP ID. */
  readonly rpId?: string | undefined;
  readonly findRpId?: (application: Application) => string;
}

/** Passkey of a row, without the owner, tenant and trust, which the import sets. */
type NewPasskey = Omit<
  Passkey,
  'userId' | 'tenantId' | 'createdAt' | 'standing' | 'scope' | 'generation' | 'since'
> & {
  readonly createdAt?: number | undefined;
};

export interface ImportedRow {
  readonly fields: UserFields;
  readonly applications: readonly string[];
  readonly externalIds: readonly ExternalId[];
  readonly userId?: string | undefined;
  readonly createdAt?: number | undefined;
  readonly accounts: readonly UpstreamAccount[];
  readonly passkeys: readonly NewPasskey[];
  readonly notTaken: readonly string[];
}

const STATED = ['email_verified', 'phone_number_verified'] as const;
const TRUSTED: readonly string[] = [...STATED, 'user_id', 'created_at', 'identities', 'passkeys'];
/** Fields of `POST /v1/users` that are imported even without `--trust-verified`. The flag for test users is never imported. */
const PLAIN: readonly string[] = Object.keys(CreateUserBody.entries).filter(
  (key) => key !== 'test' && !TRUSTED.includes(key),
);
/** Names of the nested fields that are imported, by the name of the outer field. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  name: Object.keys(nameFields).map(toSnakeCase),
  custom_identifiers: ['type', 'value'],
};
const OWN_ID = /^[a-z0-9]{25}$/;
const MILLISECONDS = 1000;

function isPublicKey(coseKey: string): boolean {
  try {
    return toPublicKeyInfo(coseKey) !== '';
  } catch {
    return false;
  }
}

/** Converts a date to epoch seconds. Throws `system_invalid_input` for an invalid date or one in the future. */
function toSeconds(value: unknown): number | undefined {
  if (!hasContent(value)) return undefined;
  const time = Date.parse(String(readDate(value)));
  if (!(time >= 0 && time <= Date.now())) throw invalidInput('created_at: must be a date in the past');
  return Math.floor(time / MILLISECONDS);
}

/** Returns the unknown keys of the objects in a field, each as `<field>.<key>`. */
function unknownIn(name: string, value: unknown, known: readonly string[]): readonly string[] {
  const each = Array.isArray(value) ? value : [value];
  return each
    .filter(isObject)
    .flatMap((one) => Object.keys(one).filter((key) => hasContent(one[key]) && !known.includes(key)))
    .map((key) => `${name}.${key}`);
}

/** Returns true if a field of our own export only repeats other fields, so that nothing is lost if it is not imported. */
const isRepetition = (row: Readonly<Record<string, unknown>>, key: string): boolean =>
  (key === 'status' && ['Pending', 'Active', 'Disabled'].includes(String(row.status))) ||
  (key === 'external_ids' && row.external_ids === `${row.external_application}=${row.external_user_id}`);

function findNotTaken(row: Readonly<Record<string, unknown>>, trusts: boolean): readonly string[] {
  return Object.entries(row).flatMap(([key, value]) => {
    if (!hasContent(value) || isRepetition(row, key)) return [];
    if (PLAIN.includes(key))
      return Object.hasOwn(WITHIN, key) ? unknownIn(key, value, WITHIN[key] ?? []) : [];
    if (!TRUSTED.includes(key)) return [key];
    if (!trusts) return value === false ? [] : [key];
    if (key === 'identities') return unknownIn(key, value, Object.keys(accountEntries));
    return key === 'passkeys' ? unknownIn(key, value, Object.keys(passkeyEntries)) : [];
  });
}

/**
 * Converts an account at an identity provider. Omits the issuer if it is the default of a built-in provider. Returns undefined
 * if no application has a provider for the account.
 */
function readAccount(
  { provider, issuer, subject }: TrustedImportFields['identities'][number],
  applications: ImportTerms['applications'],
): UpstreamAccount | undefined {
  if (!isProvider(provider)) return undefined;
  if (isBuiltIn(provider) && (!issuer || issuer === createDialect(provider, { clientId: '' }).issuer))
    return { provider, subject };
  const account = omitUndefined<UpstreamAccount>({ provider, issuer, subject });
  return applications.some((each) => findProvidersOfAccount(each, account).length > 0) ? account : undefined;
}

const only = <Kind extends object>(row: object, keys: readonly string[]): Kind =>
  Object.fromEntries(
    Object.entries(row).filter(([key, value]) => keys.includes(key) && value !== null),
  ) as Kind;

/**
 * Converts the passkeys of a row. A passkey whose RP ID no application uses is reported in `notTaken`.
 * @throws `system_invalid_input`
 */
function readPasskeys(
  { passkeys }: TrustedImportFields,
  terms: ImportTerms,
  ids: readonly string[],
  left: string[],
) {
  const { applications, findRpId = () => '' } = terms;
  const candidates =
    ids.length > 0 ? applications.filter(({ applicationId }) => ids.includes(applicationId)) : applications;
  return passkeys.flatMap((given): readonly NewPasskey[] => {
    const { rp_id: rpId = terms.rpId } = given;
    if (!isPublicKey(given.public_key)) throw invalidInput('passkeys: public_key: is not a COSE key');
    if (rpId === undefined) throw invalidInput('passkeys: rp_id is required, in the row or with --rp-id');
    const application = candidates.find((each) => findRpId(each) === rpId);
    if (!application) {
      left.push(`passkeys@${rpId}`);
      return [];
    }
    return [
      omitUndefined<NewPasskey>({
        credentialId: given.credential_id,
        applicationId: application.applicationId,
        rpId,
        publicKey: given.public_key,
        signCount: given.sign_count,
        backupEligible: given.backup_eligible ?? (given.backed_up || undefined),
        backedUp: given.backed_up,
        transports: given.transports,
        aaguid: given.aaguid,
        name: given.name,
        createdAt: toSeconds(given.created_at),
        userHandle: given.user_handle,
      }),
    ];
  });
}

/**
 * Returns the external IDs of a user. If the row names an application, the ID is valid there, otherwise in each of the user's
 * applications.
 * @throws `system_invalid_input`
 */
function readExternalIds(
  known: readonly string[],
  fields: UserFields,
  { applications, trusts }: { readonly applications: readonly string[]; readonly trusts: boolean },
): readonly ExternalId[] {
  const { external_user_id: value, external_application: named } = withExternalApplication(known, fields);
  if (!value) return [];
  const of = named === undefined ? applications : [named];
  if (of.length === 0)
    throw invalidInput('external_application: is required, because the user belongs to no application');
  return of.map((applicationId) => ({ applicationId, value, ...(trusts && { isImported: true }) }));
}

/** Parses the lists that a row contains as JSON text, as in a CSV file. Throws `system_invalid_input`. */
const withLists = (row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...row,
  ...(hasContent(row.identities) ? { identities: parseText(row.identities) } : {}),
  ...(hasContent(row.passkeys) ? { passkeys: parseText(row.passkeys) } : {}),
});

/** Validates a row and returns its importable data. Throws `system_invalid_input`. */
export function readImportedRow(given: unknown, terms: ImportTerms): ImportedRow {
  const row = isObject(given) ? withLists(given) : {};
  const { trusts = false, keepsIds = false } = terms;
  const left = [...findNotTaken(row, trusts)];
  const body = check(CreateUserBody, isObject(given) ? only<object>(row, PLAIN) : given);
  const trusted = check(trustedFields, trusts ? only<object>(row, TRUSTED) : {});
  const { user_id: formerId } = trusted;
  const known = terms.applications.map(({ applicationId }) => applicationId);
  const applications = chooseApplications(known, body.applications ?? terms.named);
  const isKept = keepsIds && formerId !== undefined && OWN_ID.test(formerId);
  const hasPlace = body.external_application !== undefined || applications.length > 0;
  const isExternal = body.external_user_id === undefined && hasPlace;
  if (formerId !== undefined && !isExternal && !isKept && formerId !== body.external_user_id)
    left.push('user_id');
  const accounts = trusted.identities.flatMap((given) => {
    const account = readAccount(given, terms.applications);
    if (!account) left.push(`identities@${isProvider(given.provider) ? given.issuer : given.provider}`);
    return account ? [account] : [];
  });
  const { external_user_id, external_application, applications: _, ...plain } = body;
  const external = { external_user_id: isExternal ? formerId : external_user_id, external_application };
  return {
    fields: {
      ...plain,
      email_verified: trusted.email_verified,
      phone_number_verified: trusted.phone_number_verified,
      ...(row.status === 'Disabled' ? { status: 'Disabled' } : {}),
    },
    applications,
    externalIds: readExternalIds(known, external, { applications, trusts }),
    userId: isKept ? formerId : undefined,
    createdAt: toSeconds(trusted.created_at),
    accounts,
    passkeys: readPasskeys(trusted, terms, applications, left),
    notTaken: left,
  };
}
