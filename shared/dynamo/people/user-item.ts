import type {
  Address,
  ChangedAddress,
  CredentialChange,
  EnrolledFactor,
  FormerIdentifier,
  PhoneRisk,
  RemovedPasskey,
  Undeliverable,
  UpstreamIdentity,
  User,
} from '../../ports/people.ts';
import type { Generations } from '../../ports/trust.ts';
import { ADDRESS_ATTRIBUTES } from '../../records/channels.ts';
import { nameFields } from '../../records/profile.ts';
import { accountFields, userFields } from '../../records/user.ts';
import { readMaps, readNumbers } from '../attributes.ts';
import {
  attribute,
  type Codec,
  codec,
  type Field,
  flag,
  json,
  map,
  maps,
  number,
  oneOf,
  optional,
  text,
  textSet,
} from '../codec.ts';
import { storedFields } from '../codec-of.ts';
import { trustFields } from './trust-fields.ts';

const undeliverable = codec<Undeliverable>({
  since: number('undeliverable_since'),
  reason: oneOf('undeliverable_reason', ['bounce', 'complaint']),
});

const risk = codec<PhoneRisk>({
  signal: oneOf('risk_signal', ['sim_swap', 'number_ported', 'device_swap', 'other']),
  reason: optional(text('risk_reason')),
  observedAt: number('risk_observed_at'),
  reportedAt: number('risk_reported_at'),
});

const address = codec<Address>({
  value: text('value'),
  undeliverable: optional(undeliverable),
  risk: optional(risk),
  delayedUntil: optional(number('opens_at')),
  ...trustFields,
});

const identity = codec<UpstreamIdentity>({
  ...storedFields(accountFields),
  ...trustFields,
});

const formerIdentifier = codec<FormerIdentifier>({ hash: text('hash'), until: number('until') });

const numbers = (name: string): Field<readonly number[]> => attribute(name, readNumbers);

const generations = codec<Generations>({ valid: numbers('counting'), highest: number('last') });

export const generationsAttributes = generations.toAttributes;

const changedAddress = codec<ChangedAddress>({
  attribute: oneOf('attribute', ADDRESS_ATTRIBUTES),
  former: optional(map('former', address)),
});

const removedPasskey = codec<RemovedPasskey>({
  attribute: oneOf('attribute', ['passkey']),
  credentialId: text('credential_id'),
});

const enrolledFactor = codec<EnrolledFactor>({
  attribute: oneOf('attribute', ['factor']),
  credentialId: optional(text('credential_id')),
  former: optional(map('former', address)),
});

/** Codec of the credential or address that was changed. The stored `attribute` contains its type. */
const what: Field<CredentialChange['what']> = {
  attributes: ['attribute', 'former', 'credential_id'],
  read(item) {
    if (item.attribute === 'passkey') return removedPasskey.read(item);
    return item.attribute === 'factor' ? enrolledFactor.read(item) : changedAddress.read(item);
  },
  write(value, item) {
    if (value.attribute === 'passkey') return removedPasskey.write(value, item);
    return value.attribute === 'factor'
      ? enrolledFactor.write(value, item)
      : changedAddress.write(value, item);
  },
};

const change = codec<CredentialChange>({
  changeId: text('change_id'),
  changedAt: number('changed_at'),
  until: number('until'),
  validBefore: numbers('counting'),
  undoCondition: oneOf('undone_by', ['link', 'kind', 'none']),
  linkFrom: number('link_from'),
  isByOperator: optional(flag('by_operator')),
  what,
});

/**
 * Applications to which the user has logged in. They are a set, because concurrent logins to two applications both add to it.
 * An empty set is stored as an absent attribute.
 */
const applications: Field<readonly string[]> = {
  attributes: ['applications'],
  read: (item) => optional(textSet('applications')).read(item) ?? [],
  write: (ids, item) => textSet('applications').write(ids, item),
};

export const userItem: Codec<User> = codec<User>({
  ...storedFields(userFields, { applications }),
  ...storedFields(nameFields),
  email: optional(map('email', address)),
  phoneNumber: optional(map('phone_number', address)),
  identities: maps('identities', identity),
  wrongGuesses: optional(textSet('wrong_guesses')),
  formerIdentifiers: optional(
    json<readonly FormerIdentifier[]>(
      'former_identifiers',
      (value) => readMaps(value, 'list').map(formerIdentifier.read),
      (list) => ({ list }),
    ),
  ),
  changes: maps('changes', change),
  generations: map('generations', generations),
});
