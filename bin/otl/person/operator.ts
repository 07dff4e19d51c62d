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
import type { Call, CommandGroup } from '../engine/command.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';

const columns = columnsOf<ReturnType<typeof operatorRecord>>('user_id', 'email', 'role', 'state');

const nameOf = async ({ tenant, id }: Call) => ({ userId: id, tenantId: (await tenant()).tenantId });

const withUser = async ({ ports }: Call, grant: OperatorGrant) => ({
  record: operatorRecord({ grant, user: await ports.users.find(grant.userId) }),
});

const role = { 'role <role>': 'viewer, support, developer or admin' };

async function invite(call: Call) {
  const { ports, id, option, audit, operator } = call;
  const body = check(InviteOperatorBody, { email: id, role: option('role') });
  const tenant = await call.tenant();
  await ensureOperatorDirectory(ports, nowSeconds(), call.consoleOrigin);
  const asked = { ...body, invitedBy: await operator() };
  const made = await inviteOperator(ports, tenant, asked, nowSeconds());
  audit({ recordId: made.grant.userId, events: ['operator.invited'] });
  return {
    record: operatorRecord(made),
    note: `A mail with a link of 24 hours goes to them. When they have enrolled, and told you so: otl --tenant ${tenant.tenantId} operator confirm ${made.grant.userId}`,
  };
}

export const operator: CommandGroup = {
  name: 'operator',
  summary: 'people who operate a tenant, and their roles',
  commands: [
    {
      verb: 'invite',
      summary: 'Invites a person by mail; the role counts once they have enrolled and it is confirmed',
      changes: 'operator.acted',
      id: 'required',
      idHelp: 'email address of the person',
      required: role,
      examples: ['ann@example.org --role support'],
      run: invite,
    },
    {
      verb: 'list',
      summary: 'Lists the operators of the tenant',
      paged: true,
      examples: ['', '--json'],
      run: async ({ ports, tenant, page }) =>
        listOutcome(await listOperators(ports, await tenant(), page), operatorRecord, columns),
    },
    {
      verb: 'confirm',
      summary: 'Lets the role of a person count who has enrolled: make sure first that it is them',
      changes: 'operator.acted',
      id: 'required',
      examples: ['0a1b2c'],
      run: async (call) =>
        withUser(call, await confirmOperator(call.ports, await nameOf(call), nowSeconds())),
    },
    {
      verb: 'set-role',
      summary: 'Gives an operator another role',
      changes: 'operator.acted',
      id: 'required',
      required: role,
      examples: ['0a1b2c --role viewer'],
      run: async (call) => {
        const body = check(UpdateOperatorBody, { role: call.option('role') });
        return withUser(call, await setOperatorRole(call.ports, await nameOf(call), body.role, nowSeconds()));
      },
    },
    {
      verb: 'remove',
      summary: 'Takes the role of an operator away',
      changes: 'operator.acted',
      id: 'required',
      confirm: (id) => `Take the role of the operator ${id} away`,
      examples: ['0a1b2c', '0a1b2c --yes'],
      run: async (call) => {
        await removeOperator(call.ports, await nameOf(call), nowSeconds());
        return { done: `${call.id} operates the tenant no more.` };
      },
    },
    {
      verb: 'reset',
      summary: 'Lets a person enrol anew who has lost the passkey; no role of theirs counts until then',
      changes: 'operator.acted',
      id: 'required',
      confirm: (id) => `Forget the passkeys of the operator ${id}, end all sessions and invite them anew`,
      examples: ['0a1b2c'],
      run: async (call) => {
        const grant = await resetOperator(
          call.ports,
          await nameOf(call),
          await call.operator(),
          nowSeconds(),
        );
        call.audit({ events: ['operator.invited'] });
        return withUser(call, grant);
      },
    },
  ],
};
