import type { OperatorRole } from '../../shared/ports/operators.ts';
import type { Operating } from './engine/call.ts';
import { type ApiDocument, permits } from './engine/document.ts';
import type { Shown } from './engine/render.ts';
import { screens } from './engine/screens.ts';
import type { LivingSession } from './session.ts';

/** Who is at a screen, and what they are shown. */

/** An operator as the API tells. */
export interface Who {
  readonly email: string;
  /** Epoch seconds of the login; 0: unknown. */
  readonly authTime: number;
  readonly grants: readonly {
    readonly tenantId: string;
    readonly name: string;
    readonly role: OperatorRole;
  }[];
}

/** One request on a screen. */
export interface Visit {
  readonly shown: Shown;
  readonly who: Who;
  readonly operating: Operating;
  readonly session: LivingSession;
}

/** Screens of the navigation whose reads a role may do. */
export const navigation = (document: ApiDocument, role: OperatorRole) =>
  screens.filter(
    ({ nav, reads }) => nav && reads.some((read) => permits(role, document.operations.get(read)?.role)),
  );
