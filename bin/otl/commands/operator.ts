import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { ensureOperatorDirectory } from '../../../shared/domain/operators/directory.ts';
import {
  confirmOperator,
  inviteOperator,
  listOperators,
  operatorRecord,
  removeOperator,
  resetOperator,
  setOperatorRole,
} from '../../../shared/domain/operators/grants.ts';
import { check } from '../../../shared/http/parse.ts';
import type { OperatorGrant } from '../../../shared/ports/operators.ts';
import { InviteOperatorBody, UpdateOperatorBody } from '../../../shared/schemas/tenants.ts';
import { nouns } from '../api/nouns.ts';
import { recordCommands } from '../api/record-commands.ts';
import type { Call, Command, CommandGroup } from '../engine/command.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { makeColumns } from '../terminal/print.ts';

const columns = makeColumns<ReturnType<typeof operatorRecord>>('user_id', 'email', 'role', 'state');

const toGrantName = async ({ tenant, id }: Call) => ({ userId: id, tenantId: (await tenant()).tenantId });

const withUser = async ({ ports }: Call, grant: OperatorGrant) => ({
  record: operatorRecord({ grant, user: await ports.users.find(grant.userId) }),
});

async function invite(call: Call) {
  const { ports, id, audit, operator } = call;
  const body = check(InviteOperatorBody, { ...(call.body as object), email: id });
  const tenant = await call.tenant();
  await ensureOperatorDirectory(ports, nowSeconds(), call.consoleOrigin);
  const asked = { ...body, invitedBy: await operator() };
  const made = await inviteOperator(ports, tenant, asked, nowSeconds());
  audit({ recordId: made.grant.userId, events: ['operator.invited'] });
  return {
    record: operatorRecord(made),
    note: `They get an email with a link that is valid for 24 hours. Once they have told you that they enrolled, run: otl --tenant ${tenant.tenantId} operator confirm ${made.grant.userId}`,
  };
}

type Run = NonNullable<Command['run']>;

const records = recordCommands('operator');

/** Builds a command that calls the API if a person is logged in to `otl`, and otherwise runs with AWS credentials. */
const both = (verb: keyof typeof records, run: Run, changes?: 'operator.acted'): Command => ({
  ...records[verb],
  ...(changes && { changes }),
  run,
});

export const operator: CommandGroup = {
  name: 'operator',
  summary: nouns.operator.summary,
  commands: [
    both('invite', invite, 'operator.acted'),
    both('list', async ({ ports, tenant, page }) =>
      listOutcome(await listOperators(ports, await tenant(), page), operatorRecord, columns),
    ),
    both(
      'confirm',
      async (call) =>
        withUser(call, await confirmOperator(call.ports, await toGrantName(call), nowSeconds())),
      'operator.acted',
    ),
    both(
      'set-role',
      async (call) => {
        const body = check(UpdateOperatorBody, call.body);
        return withUser(
          call,
          await setOperatorRole(call.ports, await toGrantName(call), body.role, nowSeconds()),
        );
      },
      'operator.acted',
    ),
    both(
      'remove',
      async (call) => {
        await removeOperator(call.ports, await toGrantName(call), nowSeconds());
        return { done: `${call.id} no longer operates the tenant.` };
      },
      'operator.acted',
    ),
    {
      verb: 'reset',
      summary:
        'Lets an operator who has lost the passkey enrol again; all their roles are suspended until then',
      changes: 'operator.acted',
      id: 'required',
      confirm: (id) =>
        `Delete the passkeys of the operator ${id}, end all their sessions and invite them again`,
      examples: ['0a1b2c'],
      run: async (call) => {
        const grant = await resetOperator(
          call.ports,
          await toGrantName(call),
          await call.operator(),
          nowSeconds(),
        );
        call.audit({ events: ['operator.invited'] });
        return withUser(call, grant);
      },
    },
  ],
};
