import type { OperatorRole } from '../../shared/ports/operators.ts';
import type { ApiCredentials } from './engine/call.ts';
import { type ApiDocument, isPermitted } from './engine/document.ts';
import type { ScreenData } from './engine/render.ts';
import { screens } from './engine/screens.ts';
import type { ConsoleSession } from './session.ts';

/** The logged-in operator as described by the API. */
export interface Operator {
  readonly email: string;
  /** Time of the login in epoch seconds. */
  readonly authTime: number;
  readonly grants: readonly {
    readonly tenantId: string;
    readonly name: string;
    readonly role: OperatorRole;
  }[];
}

/** Context of one request: the screen, the operator, and the session. */
export interface ConsoleRequest {
  readonly shown: ScreenData;
  readonly who: Operator;
  readonly operating: ApiCredentials;
  readonly session: ConsoleSession;
}

/**
 * Lists the screens that the navigation shows for a role: screens with a read operation that the role may call, and screens of
 * fixed text.
 */
export const navigation = (document: ApiDocument, role: OperatorRole) =>
  screens.filter(
    ({ nav, reads }) =>
      nav &&
      (reads.length === 0 || reads.some((read) => isPermitted(role, document.operations.get(read)?.role))),
  );
