// Permissions that operations in several files require; a caller needs only one of each list. Do not share the lists of port
// methods in `uses` like this: imported lists keep unused operations and their schemas in every bundle.

/** Permissions that allow a client to run logins for an application (SPEC A and C). */
export const EXECUTE_LOGINS = ['apps:execute', '[appId]:execute', 'auth:execute'] as const;
/** Permissions that allow a client to read users. */
export const READ_USERS = ['users:read', 'apps:read', '[appId]:read'] as const;
/** Permissions that allow a client to change users. */
export const EDIT_USERS = ['users:edit', 'apps:edit', '[appId]:edit'] as const;
