/**
 * Permissions that rows of several files ask for; any one of a list suffices. Verbs of `uses` are not shared like this: a list
 * that is spread from another file keeps rows that nobody uses, with their schemas, in every bundle.
 */

/** Who may run logins for an application (sections A and C). */
export const EXECUTE = ['apps:execute', '[appId]:execute', 'auth:execute'] as const;
export const READ_USERS = ['users:read', 'apps:read', '[appId]:read'] as const;
export const EDIT_USERS = ['users:edit', 'apps:edit', '[appId]:edit'] as const;
