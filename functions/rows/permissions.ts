/** Permissions that rows of several files ask for; any one of a list suffices. */

/** Who may run logins for an application (sections A and C). */
export const EXECUTE = ['apps:execute', '[appId]:execute', 'auth:execute'] as const;
export const READ_USERS = ['users:read', 'apps:read', '[appId]:read'] as const;
export const EDIT_USERS = ['users:edit', 'apps:edit', '[appId]:edit'] as const;
