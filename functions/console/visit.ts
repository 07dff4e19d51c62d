import type { OperatorRole } from '../../shared/ports/operators.ts';
import type { Operating } from './engine/call.ts';
import { type ApiDocument, permits } from './engine/document.ts';
import type { Shown } from './engine/render.ts';
import { screens } from './engine/screens.ts';
import type { LivingSession } from './session.ts';

/** The logged-in operator as described by the API. */
export interface Who {
  readonly email: string;
  /** Time of the login in epoch seconds; 0 if unknown. */
  readonly authTime: number;
  readonly grants: readonly {
    readonly tenantId: string;
    readonly name: string;
    readonly role: OperatorRole;
  }[];
}

/** Context of one request: the screen, the operator, and the session. */
export interface Visit {
  readonly shown: Shown;
  readonly who: Who;
  readonly operating: Operating;
  readonly session: LivingSession;
}

/** Lists the screens in the navigation of which a role may call at least one read operation, and those of fixed text. */
export const navigation = (document: ApiDocument, role: OperatorRole) =>
  screens.filter(
    ({ nav, reads }) =>
      nav && (reads.length === 0 || reads.some((read) => permits(role, document.operations.get(read)?.role))),
  );
