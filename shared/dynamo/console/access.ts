import { binds, get, onTable, type PortAccess, put, remove, update } from '../access.ts';

const flows = onTable('flows');

export const consoleAccess = {
  consoleSessions: {
    put: [flows('console-session#', put)],
    find: [flows('console-session#', get)],
    keep: [flows('console-session#', update)],
    bind: [binds(flows('console-session#', update))],
    countProof: [binds(flows('console-session#', update))],
    remove: [flows('console-session#', remove)],
  },
} as const satisfies PortAccess;
