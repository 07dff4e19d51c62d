import { CONSUMED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { AuthorizationCode, AuthorizationCodes, CodeOwner } from '../../ports/authorization.ts';
import { authorizationCodeKey } from '../keys.ts';
import { readRecord } from '../record-store.ts';
import type { Table } from '../table.ts';
import { authorizationCodeItem } from './authorization-code-item.ts';
import { methodUse } from './session-item.ts';

const USABLE = 'attribute_exists(#pk) AND attribute_not_exists(#consumed_at) AND #expires_at > :at';
const EXCHANGEABLE = '(attribute_not_exists(#require_mfa) OR #require_mfa <> :yes)';
const FIRST_FACTOR = '#require_mfa = :yes';

const attributesOf = (code: AuthorizationCode) => ({
  ...authorizationCodeItem.toAttributes(code),
  purge_at: Math.max(code.expiresAt, code.issuedAt + CONSUMED_KEPT_SECONDS),
});

/** One item a code, filed under its hash. */
export function authorizationCodes(table: Table): AuthorizationCodes {
  function use(
    hash: string,
    at: number,
    condition: string,
    { owner, by }: { readonly owner?: CodeOwner | undefined; readonly by?: string | undefined } = {},
  ): Promise<boolean> {
    return table.change(authorizationCodeKey(hash), {
      condition: `${USABLE} AND ${condition}`,
      set: {
        consumed_at: at,
        purge_at: at + CONSUMED_KEPT_SECONDS,
        ...(owner ? { user_id: owner.userId, session_id: owner.sessionId } : {}),
      },
      // Kept to detect a replay, without a trace of the person.
      remove: ['#sealed_sign_up', '#sealed_artifacts', '#user_agent', '#ip_address'],
      values: { at, yes: true },
      mark: 'consumed_by',
      by,
    });
  }

  return {
    async put(code) {
      // Refused only for a repetition of this very write: a code that was consumed meanwhile must not come back.
      await table.put(
        { ...authorizationCodeKey(code.hash), ...attributesOf(code) },
        { condition: 'attribute_not_exists(#pk)' },
      );
    },

    find: (hash) => readRecord(table, authorizationCodeKey(hash), authorizationCodeItem),

    consume: (hash, at, owner, by) => use(hash, at, EXCHANGEABLE, { owner, by }),

    async giveBack(code, holder) {
      await table.undo(authorizationCodeKey(code.hash), holder, { set: attributesOf(code) });
    },

    keepConsumed: (hash) =>
      table.change(authorizationCodeKey(hash), {
        condition: 'attribute_exists(#consumed_by)',
        mark: 'consumed_by',
      }),

    spend: (hash, at) => use(hash, at, FIRST_FACTOR),

    upgrade: (hash, { methods, sessionId, startsSession, expiresAt, at }) =>
      table.change(authorizationCodeKey(hash), {
        condition: `${USABLE} AND ${FIRST_FACTOR}`,
        set: {
          methods: methods.map(methodUse.toAttributes),
          session_id: sessionId,
          starts_session: startsSession,
          expires_at: expiresAt,
          purge_at: Math.max(expiresAt, at + CONSUMED_KEPT_SECONDS),
        },
        remove: ['#require_mfa'],
        values: { at, yes: true },
        mark: 'upgraded_by',
      }),
  };
}
