import type { Address, PhoneRisk, Undeliverable, User } from '../../ports/people.ts';
import {
  asJson,
  flag,
  maps,
  number,
  omitUndefined,
  oneOf,
  optionalJson,
  optionalMap,
  optionalNumber,
  optionalText,
  optionalTexts,
  text,
  texts,
} from '../attributes.ts';
import type { Item } from '../table.ts';

/** A user as an item, and back. */

function toUndeliverable(item: Item): Undeliverable | undefined {
  const since = optionalNumber(item, 'undeliverable_since');
  if (since === undefined) return undefined;
  return { reason: oneOf(item, 'undeliverable_reason', ['bounce', 'complaint']), since };
}

function toRisk(item: Item): PhoneRisk | undefined {
  if (item.risk_signal === undefined) return undefined;
  return omitUndefined({
    signal: oneOf(item, 'risk_signal', ['sim_swap', 'number_ported', 'device_swap', 'other']),
    reason: optionalText(item, 'risk_reason'),
    observedAt: number(item, 'risk_observed_at'),
    reportedAt: number(item, 'risk_reported_at'),
  });
}

function toAddress(item: Item | undefined): Address | undefined {
  return (
    item &&
    omitUndefined({
      value: text(item, 'value'),
      verified: flag(item, 'verified'),
      undeliverable: toUndeliverable(item),
      risk: toRisk(item),
    })
  );
}

const toAttributes = (address: Address | undefined) =>
  address &&
  omitUndefined({
    value: address.value,
    verified: address.verified,
    undeliverable_since: address.undeliverable?.since,
    undeliverable_reason: address.undeliverable?.reason,
    risk_signal: address.risk?.signal,
    risk_reason: address.risk?.reason,
    risk_observed_at: address.risk?.observedAt,
    risk_reported_at: address.risk?.reportedAt,
  });

export function toUser(item: Item): User {
  return omitUndefined({
    userId: text(item, 'user_id'),
    tenantId: text(item, 'tenant_id'),
    status: oneOf(item, 'status', ['Pending', 'Active', 'Disabled']),
    email: toAddress(optionalMap(item, 'email')),
    phoneNumber: toAddress(optionalMap(item, 'phone_number')),
    username: optionalText(item, 'username'),
    externalUserId: optionalText(item, 'external_user_id'),
    customIdentifiers: maps(item, 'custom_identifiers').map((custom) => ({
      type: text(custom, 'type'),
      value: text(custom, 'value'),
    })),
    firstName: optionalText(item, 'first_name'),
    lastName: optionalText(item, 'last_name'),
    picture: optionalText(item, 'picture'),
    language: optionalText(item, 'language'),
    groups: texts(item, 'groups'),
    roles: texts(item, 'roles'),
    customAppData: optionalJson(item, 'custom_app_data'),
    identities: maps(item, 'identities').map((identity) =>
      omitUndefined({
        provider: text(identity, 'provider'),
        issuer: optionalText(identity, 'issuer'),
        subject: text(identity, 'subject'),
      }),
    ),
    createdAt: number(item, 'created_at'),
    updatedAt: number(item, 'updated_at'),
    lastAuthAt: optionalNumber(item, 'last_auth_at'),
    passcodesOff: optionalTexts(item, 'passcodes_off'),
    formerIdentifiers: optionalJson(item, 'former_identifiers')?.list as User['formerIdentifiers'],
  });
}

export const userAttributes = (user: User) => ({
  user_id: user.userId,
  tenant_id: user.tenantId,
  status: user.status,
  email: toAttributes(user.email),
  phone_number: toAttributes(user.phoneNumber),
  username: user.username,
  external_user_id: user.externalUserId,
  custom_identifiers: user.customIdentifiers.map(({ type, value }) => ({ type, value })),
  first_name: user.firstName,
  last_name: user.lastName,
  picture: user.picture,
  language: user.language,
  groups: user.groups,
  roles: user.roles,
  custom_app_data: asJson(user.customAppData),
  identities: user.identities.map(({ provider, issuer, subject }) => ({ provider, issuer, subject })),
  created_at: user.createdAt,
  updated_at: user.updatedAt,
  last_auth_at: user.lastAuthAt,
  // A set, so that adding a key twice is adding it once; there is no empty set.
  passcodes_off: user.passcodesOff?.length ? new Set(user.passcodesOff) : undefined,
  former_identifiers: user.formerIdentifiers && asJson({ list: user.formerIdentifiers }),
});
