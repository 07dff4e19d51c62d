/**
 * Permissions that rows of several files ask for; any one of a list suffices. Do not share verbs of `uses` like this: a list
 * spread from another file keeps unused rows, with their schemas, in every bundle.
 */

/** Who may run logins for an application (sections A and C). */
export const EXECUTE = ['apps:execute', '[appId]:execute', 'auth:execute'] as const;
export const READ_USERS = ['users:read', 'apps:read', '[appId]:read'] as const;
export const EDIT_USERS = ['users:edit', 'apps:edit', '[appId]:edit'] as const;
