import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  createMember,
  deleteMember,
  listMembers,
  memberRecord,
  requireMember,
  updateMember,
} from '../../../shared/domain/organizations/members.ts';
import type { MemberRecord } from '../../../shared/ports/people.ts';
import { CreateMemberBody, UpdateMemberBody } from '../../../shared/schemas/organizations.ts';
import { type Call, type CommandGroup, withBody } from '../engine/command.ts';
import { fieldsOfRecord } from '../engine/fields.ts';
import { listOutcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';

const org = { 'org <id>': 'ID of the organization' };
const idOf = ({ option }: Pick<Call, 'option'>) => option('org') ?? '';
const organizationOf = async (call: Pick<Call, 'option' | 'tenant'>) => ({
  tenant: await call.tenant(),
  organizationId: idOf(call),
});

const columns = columnsOf<MemberRecord>('user_id', 'roles', 'created_at');

export const member: CommandGroup = {
  name: 'member',
  summary: 'users in organizations; a member is named by the ID of the user',
  about: (call) => ({ recordId: idOf(call) }),
  commands: [
    {
      verb: 'create',
      summary: 'Makes a user a member of an organization',
      changes: 'management.changed',
      required: org,
      fields: fieldsOfRecord(CreateMemberBody),
      examples: ['--org 0a1b2c --user 3d4e5f --role organizationAdmin'],
      run: withBody(CreateMemberBody, async ({ ports, body, ...call }) => ({
        record: memberRecord(await createMember(ports, await organizationOf(call), body, nowSeconds())),
      })),
    },
    {
      verb: 'list',
      summary: 'Lists the members of an organization',
      required: org,
      paged: true,
      examples: ['--org 0a1b2c'],
      run: async ({ ports, page, ...call }) =>
        listOutcome(await listMembers(ports, await organizationOf(call), page), memberRecord, columns),
    },
    {
      verb: 'show',
      summary: 'Shows a member',
      id: 'required',
      required: org,
      examples: ['3d4e5f --org 0a1b2c'],
      run: async ({ ports, id, ...call }) => ({
        record: memberRecord(await requireMember(ports, await organizationOf(call), id)),
      }),
    },
    {
      verb: 'update',
      summary: 'Changes the roles of a member',
      changes: 'management.changed',
      id: 'required',
      required: org,
      fields: fieldsOfRecord(UpdateMemberBody),
      examples: ['3d4e5f --org 0a1b2c --role organizationAdmin --role billing'],
      run: withBody(UpdateMemberBody, async ({ ports, id, body, ...call }) => {
        const member = { ...(await organizationOf(call)), userId: id };
        return { record: memberRecord(await updateMember(ports, member, body, nowSeconds())) };
      }),
    },
    {
      verb: 'delete',
      summary: 'Ends a membership; the user stays',
      changes: 'management.changed',
      id: 'required',
      required: org,
      confirm: (id) => `End the membership of the user ${id}`,
      examples: ['3d4e5f --org 0a1b2c --yes'],
      run: async ({ ports, id, ...call }) => {
        await deleteMember(ports, await organizationOf(call), id);
        return { done: `The user ${id} is no member any more.` };
      },
    },
  ],
};
