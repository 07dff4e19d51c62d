import type { Access } from '../../../shared/dynamo/access.ts';
import { consoleAccess } from '../../../shared/dynamo/console/access.ts';
import { directoryAccess } from '../../../shared/dynamo/directory/access.ts';
import { eventsAccess } from '../../../shared/dynamo/events/access.ts';
import { flowsAccess } from '../../../shared/dynamo/flows/access.ts';
import { peopleAccess } from '../../../shared/dynamo/people/access.ts';
import type { PortName } from '../../../shared/ports/index.ts';

/**
 * Table access of every port method, from which IAM policies are generated. A test compares the access with the calls that the
 * methods make.
 */
export const portAccess = {
  ...directoryAccess,
  ...peopleAccess,
  ...flowsAccess,
  ...eventsAccess,
  ...consoleAccess,
};

export type TablePort = keyof typeof portAccess;

export const isTablePort = (port: PortName): port is TablePort => port in portAccess;

/** Returns the table access of each method of a port. */
export const listAccessByMethod = (port: TablePort): Readonly<Record<string, readonly Access[]>> =>
  portAccess[port];
