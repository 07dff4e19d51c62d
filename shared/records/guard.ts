/**
 * Reasons why an operator's action is not guarded. A guarded action requires a login in the last ten minutes, and all admins
 * are notified by mail. Every operation that operators may call, and every field that they may set, is either `guarded` or
 * gives one of these reasons.
 */
export const UNGUARDED = {
  reads: 'Changes nothing. Secrets are never shown, and a person is only exported under guard.',
  fields: 'Each field of the body has a classification of its own.',
  inert: 'Grants no access and takes no rights before a guarded change.',
  describes: 'No decision about access depends on it.',
  presents:
    'Changes what pages and messages look like, offer or say. Notices to former addresses do not depend on it.',
  limits: 'Changes a rate limit. Wrong codes and the SMS budget of the tenant are counted whatever it says.',
  restricts: 'Only keeps people out, and can be undone.',
  qualifies: 'Only says how the other fields are applied.',
  withoutPower:
    'Helps a user without power, who is notified. For a user with power, the use case applies the guard.',
  repeats: 'Posts to an address only what that address was set up to receive.',
} as const;

export type Unguarded = keyof typeof UNGUARDED;
