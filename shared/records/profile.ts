import type { Fields, Json } from './field.ts';

// Profile of a user for applications. If a field has a `claim`, tokens contain it when a login requests that claim.

/** Fields of `name` in requests and responses. */
export const nameFields = {
  firstName: { kind: 'text', claim: 'given_name', personal: true },
  lastName: { kind: 'text', claim: 'family_name', personal: true },
} as const satisfies Fields;

export const profileFields = {
  username: { kind: 'text', claim: 'username', personal: true, unguarded: 'withoutPower' },
  picture: { kind: 'text', claim: 'picture', personal: true, unguarded: 'describes' },
  language: { kind: 'text', claim: 'locale', unguarded: 'describes' },
  groups: { kind: 'texts', always: true, default: [], claim: 'groups', operators: 'guarded' },
  customAppData: { kind: 'json', operators: 'admin', personal: true, unguarded: 'describes' } as Json<
    Readonly<Record<string, unknown>>,
    unknown
  >,
} as const satisfies Fields;
