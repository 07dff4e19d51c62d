import type {
  Address,
  CustomIdentifier,
  Erasure,
  FormerAddress,
  FormerIdentifier,
  LeavingPasskey,
  PhoneRisk,
  ProvenBefore,
  Recovery,
  Undeliverable,
  UndoneChange,
  UpstreamIdentity,
  User,
} from '../../ports/people.ts';
import { readMaps } from '../attributes.ts';
import {
  type Codec,
  codec,
  flag,
  json,
  map,
  maps,
  number,
  oneOf,
  optional,
  text,
  textSet,
  texts,
} from '../codec.ts';

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
  verified: flag('verified'),
  undeliverable: optional(undeliverable),
  risk: optional(risk),
  wokenAt: optional(number('woken_at')),
  secondAt: optional(text('second_at')),
  provenAt: optional(text('proven_at')),
});

const customIdentifier = codec<CustomIdentifier>({ type: text('type'), value: text('value') });

const identity = codec<UpstreamIdentity>({
  provider: text('provider'),
  issuer: optional(text('issuer')),
  subject: text('subject'),
  wokenAt: optional(number('woken_at')),
  secondAt: optional(text('second_at')),
});

const formerIdentifier = codec<FormerIdentifier>({ hash: text('hash'), until: number('until') });

const formerAddress = codec<FormerAddress>({
  changeId: text('change_id'),
  attribute: oneOf('attribute', ['email', 'phoneNumber']),
  value: text('value'),
  changedAt: number('changed_at'),
  until: number('until'),
  secondAt: optional(text('second_at')),
  isFinal: flag('is_final'),
});

const leavingPasskey = codec<LeavingPasskey>({ credentialId: text('credential_id'), at: number('at') });
const provenBefore = codec<ProvenBefore>({
  attribute: oneOf('attribute', ['email', 'phoneNumber']),
  value: text('value'),
  wokenAt: optional(number('woken_at')),
  secondAt: optional(text('second_at')),
  until: number('until'),
});

const undone = codec<UndoneChange>({ changedAt: number('changed_at'), sleptAt: number('slept_at') });

const recovery = codec<Recovery>({
  requestedAt: number('requested_at'),
  effectiveAt: number('effective_at'),
  endsAt: number('ends_at'),
  provenBy: optional(texts('proven_by')),
});

const erasure = codec<Erasure>({
  erasureId: text('erasure_id'),
  requestedAt: number('requested_at'),
  effectiveAt: number('effective_at'),
  hasBegun: flag('has_begun'),
});

export const userItem: Codec<User> = codec<User>({
  userId: text('user_id'),
  tenantId: text('tenant_id'),
  status: oneOf('status', ['Pending', 'Active', 'Disabled']),
  email: optional(map('email', address)),
  phoneNumber: optional(map('phone_number', address)),
  username: optional(text('username')),
  externalUserId: optional(text('external_user_id')),
  customIdentifiers: maps('custom_identifiers', customIdentifier),
  firstName: optional(text('first_name')),
  lastName: optional(text('last_name')),
  picture: optional(text('picture')),
  language: optional(text('language')),
  groups: texts('groups'),
  roles: texts('roles'),
  customAppData: optional(json('custom_app_data', (value) => value)),
  identities: maps('identities', identity),
  createdAt: number('created_at'),
  updatedAt: number('updated_at'),
  lastAuthAt: optional(number('last_auth_at')),
  wrongGuesses: optional(textSet('wrong_guesses')),
  asleepBefore: optional(number('asleep_before')),
  disputedAt: optional(number('disputed_at')),
  formerIdentifiers: optional(
    json<readonly FormerIdentifier[]>(
      'former_identifiers',
      (value) => readMaps(value, 'list').map(formerIdentifier.read),
      (list) => ({ list }),
    ),
  ),
  formerAddresses: optional(maps('former_addresses', formerAddress)),
  leavingPasskeys: optional(maps('leaving_passkeys', leavingPasskey)),
  provenBefore: optional(maps('proven_before', provenBefore)),
  undone: optional(map('undone', undone)),
  recovery: optional(map('recovery', recovery)),
  erasure: optional(map('erasure', erasure)),
  isTest: optional(flag('is_test')),
});
