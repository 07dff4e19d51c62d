import { expect, test } from '@jest/globals';
import { buildGrantId } from '../../../shared/domain/basis/operators.ts';
import { ensureOperatorDirectory } from '../../../shared/domain/operators/directory.ts';
import { makeInvitationLink } from '../../../shared/domain/operators/invitation.ts';
import { CONSOLE_APPLICATION_ID } from '../../../shared/domain/operators/operators.ts';
import { applicationRecords } from '../../../shared/dynamo/directory/applications.ts';
import { clientRecords } from '../../../shared/dynamo/directory/clients.ts';
import {
  operatorEnrolments,
  operatorRecords,
  operators,
} from '../../../shared/dynamo/directory/operators.ts';
import { tenantRecords } from '../../../shared/dynamo/directory/tenants.ts';
import type { OperatorGrant } from '../../../shared/ports/operators.ts';
import { someGrant, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('operator grants', (store) => {
  const table = () => store().table('directory');
  const records = () => operatorRecords(table());

  test('the roles of operators are listed per user and per tenant', async () => {
    const invitation = { hash: 'hash', expiresAt: T + 60 };
    const invited = someGrant({ state: 'invited', role: 'support', invitation });
    const elsewhere = someGrant({ userId: invited.userId });
    const other = someGrant({ tenantId: invited.tenantId });
    for (const grant of [invited, elsewhere, other]) expect(await records().put(grant)).toBe(true);

    expect(await operators(table()).find(invited)).toEqual(invited);
    expect(await operators(table()).find({ ...invited, tenantId: other.userId })).toBeUndefined();
    const ofUser = await operators(table()).listOfUser(invited.userId);
    expect(ofUser).toHaveLength(2);
    expect(ofUser).toEqual(expect.arrayContaining([invited, elsewhere]));
    const { items } = await records().list(invited.tenantId, { limit: 10 });
    expect(items).toHaveLength(2);
    expect(items).toEqual(expect.arrayContaining([invited, other]));
  });

  test('only one of 10 concurrent callers can invite the same operator', async () => {
    const grant = someGrant({ state: 'invited', invitation: { hash: 'hash', expiresAt: T } });
    const ten = <Result>(call: () => Promise<Result>) => Promise.all(Array.from({ length: 10 }, call));
    expect((await ten(() => records().put({ ...grant }))).filter(Boolean)).toHaveLength(1);

    const read = await ten(() => records().find(buildGrantId(grant)));
    const written = await Promise.all(
      read.map((each, n) => records().replace(each as OperatorGrant, { ...grant, invitedBy: `${n}` })),
    );
    expect(written.filter(Boolean)).toHaveLength(1);
    expect((await records().find(buildGrantId(grant)))?.invitedBy).toBe(`${written.indexOf(true)}`);

    const before = (await records().find(buildGrantId(grant))) as OperatorGrant;
    expect(await records().remove(buildGrantId(grant))).toBe(true);
    expect(await records().replace(before, { ...before, state: 'active' })).toBe(false);
    expect(await records().find(buildGrantId(grant))).toBeUndefined();
  });

  test('only one of 10 concurrent browsers can enrol an operator', async () => {
    const enrolments = operatorEnrolments(table());
    const { userId, tenantId } = someGrant();
    const browsers = Array.from({ length: 10 }, (_, n) => ({
      ...{ userId, tenantId, hash: 'hash', browserHash: `${n}` },
    }));
    const held = await Promise.all(browsers.map((each) => enrolments.bind(each)));
    const [first] = held;
    if (!first) throw new Error('no browser has it');
    expect(held).toEqual(held.map(() => first));
    const completed = await Promise.all(browsers.map((each) => enrolments.complete(each, T)));
    expect(completed.filter(Boolean)).toHaveLength(1);
    expect(await enrolments.find(first)).toEqual({ ...first, enrolledAt: T });
    // The same browser may submit the enrolment again. After a newer invitation, the earlier link cannot complete it.
    expect(await enrolments.bind(first)).toEqual({ ...first, enrolledAt: T });
    const newer = { ...first, hash: 'newer', browserHash: 'another' };
    expect(await enrolments.bind(newer)).toEqual(newer);
    expect(await enrolments.complete(first, T)).toBe(false);
    expect(await enrolments.find(first)).toEqual(newer);
    await enrolments.remove(first);
    expect(await enrolments.find(first)).toBeUndefined();
    expect(await enrolments.complete(newer, T)).toBe(false);
  });

  test('the redirect URI of the operator console changes together with the console’s origin', async () => {
    const ports = {
      tenantRecords: tenantRecords(table()),
      applicationRecords: applicationRecords(table()),
      clientRecords: clientRecords(table()),
    };
    const uris = async (origin?: string) => {
      await ensureOperatorDirectory(ports, T, origin);
      return (await ports.applicationRecords.find(CONSOLE_APPLICATION_ID))?.redirectUris;
    };
    const first = await uris('https://console.one.example');
    expect(first).toContain('https://console.one.example/callback');
    expect(await uris()).toEqual(first);
    expect(await uris('https://console.two.example')).toContain('https://console.two.example/callback');
  });

  test('no invitation link can be created for an operator who is already enrolled', async () => {
    const [invited, active] = [someGrant({ state: 'invited' }), someGrant()];
    for (const grant of [invited, active]) await records().put(grant);
    const link = (grant: OperatorGrant) => makeInvitationLink({ operatorRecords: records() }, grant, T);
    expect(await link(invited)).toContain(invited.userId);
    expect(await link(active)).toBeUndefined();
    expect(await records().find(buildGrantId(active))).toEqual(active);
  });

  test("a fresh read of an operator's roles bypasses the cache", async () => {
    const grant = someGrant();
    await records().put(grant);
    const reader = operators(table());
    expect(await reader.find(grant)).toEqual(grant);
    await records().remove(buildGrantId(grant));
    expect(await reader.find(grant)).toEqual(grant);
    expect(await reader.find(grant, { fresh: true })).toBeUndefined();
    expect(await reader.find({ userId: unique('user'), tenantId: grant.tenantId })).toBeUndefined();
  });
});
