// Permissions that operations in several files require; any one of a list is enough. Do not share verbs of `uses` like this: a
// list spread from another file keeps unused operations, with their schemas, in every bundle.

/** Permissions that allow a client to run logins for an application (SPEC A and C). */
export const EXECUTE_LOGINS = ['apps:execute', '[appId]:execute', 'auth:execute'] as const;
/** Permissions that allow a client to read users. */
export const READ_USERS = ['users:read', 'apps:read', '[appId]:read'] as const;
/** Permissions that allow a client to change users. */
export const EDIT_USERS = ['users:edit', 'apps:edit', '[appId]:edit'] as const;
