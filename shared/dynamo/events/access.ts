import { batchGet, get, onTable, type PortAccess, query, update } from '../access.ts';

const flows = onTable('flows');

export const eventsAccess = {
  webhookDeliveries: {
    note: [flows('webhook-delivery#', update)],
    find: [flows('webhook-delivery#', get)],
    list: [flows('webhook-delivery#', query)],
    healthOf: [flows('webhook-delivery#', batchGet)],
  },
  statistics: { count: [flows('statistics#', update)], list: [flows('statistics#', query)] },
} as const satisfies PortAccess;
