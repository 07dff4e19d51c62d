import type {
  Address,
  CustomIdentifier,
  PhoneSignal,
  UpstreamIdentity,
  User,
  UserStatus,
} from '../../ports/people.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';

/** A user as callers see it. */
export interface UserRecord {
  readonly user_id: string;
  readonly status: UserStatus;
  readonly email?: {
    readonly value: string;
    readonly email_verified: boolean;
    readonly undeliverable?: { readonly reason: 'bounce' | 'complaint'; readonly since: string };
  };
  readonly phone_number?: {
    readonly value: string;
    readonly phone_number_verified: boolean;
    readonly risk?: {
      readonly signal: PhoneSignal;
      readonly reason?: string;
      readonly observed_at: string;
      readonly reported_at: string;
    };
  };
  readonly username?: string;
  readonly external_user_id?: string;
  readonly custom_identifiers: CustomIdentifier[];
  readonly name?: { readonly first_name?: string; readonly last_name?: string };
  readonly picture?: string;
  readonly language?: string;
  readonly groups: string[];
  readonly roles: string[];
  readonly custom_app_data?: Record<string, unknown>;
  readonly identities: UpstreamIdentity[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_auth?: string;
}

function emailRecord({ value, verified, undeliverable }: Address): NonNullable<UserRecord['email']> {
  if (!undeliverable) return { value, email_verified: verified };
  const { reason, since } = undeliverable;
  return { value, email_verified: verified, undeliverable: { reason, since: wireDate(since) } };
}

function phoneRecord({ value, verified, risk }: Address): NonNullable<UserRecord['phone_number']> {
  if (!risk) return { value, phone_number_verified: verified };
  const { signal, reason, observedAt, reportedAt } = risk;
  return {
    value,
    phone_number_verified: verified,
    risk: {
      signal,
      ...(reason === undefined ? {} : { reason }),
      observed_at: wireDate(observedAt),
      reported_at: wireDate(reportedAt),
    },
  };
}

export function userRecord(user: User): UserRecord {
  const { email, phoneNumber, firstName, lastName } = user;
  const name = omitUndefined<NonNullable<UserRecord['name']>>({ first_name: firstName, last_name: lastName });
  return omitUndefined<UserRecord>({
    user_id: user.userId,
    status: user.status,
    email: email && emailRecord(email),
    phone_number: phoneNumber && phoneRecord(phoneNumber),
    username: user.username,
    external_user_id: user.externalUserId,
    custom_identifiers: user.customIdentifiers.map(({ type, value }) => ({ type, value })),
    name: Object.keys(name).length > 0 ? name : undefined,
    picture: user.picture,
    language: user.language,
    groups: [...user.groups],
    roles: [...user.roles],
    custom_app_data: user.customAppData && { ...user.customAppData },
    identities: user.identities.map(({ provider, issuer, subject }) =>
      omitUndefined<UpstreamIdentity>({ provider, issuer, subject }),
    ),
    created_at: wireDate(user.createdAt),
    updated_at: wireDate(user.updatedAt),
    last_auth: user.lastAuthAt === undefined ? undefined : wireDate(user.lastAuthAt),
  });
}
