import { recordChanges } from '../../../shared/domain/management/recorded-ports.ts';
import type { AuditContext } from '../../../shared/operation.ts';
import { maskAddress } from '../../../shared/templates/mask.ts';
import type { Target } from '../target/target.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { beginAudit, toAuditResult } from './audit-log.ts';
import { type Call, type Command, type CommandGroup, toCommandWords } from './command.ts';

/** Returns the context of a command's first audit line: the record and the tenant that the command concerns. */
async function readContext(call: Call, group: CommandGroup): Promise<AuditContext> {
  const about = group.about?.(call) ?? { recordId: call.id };
  return group.ofNoTenant ? about : { ...about, tenantId: (await call.tenant()).tenantId };
}

/** Runs a command that changes something, and writes a line to the operator audit log before and after it. */
export async function runAudited({
  target,
  group,
  command,
  call,
  print,
  complain,
}: {
  readonly target: Target;
  readonly group: CommandGroup;
  readonly command: Command & Required<Pick<Command, 'run'>>;
  readonly call: Call;
  readonly print: (outcome: Outcome) => void;
  readonly complain: (error: unknown) => void;
}): Promise<void> {
  const context = await readContext(call, group);
  const auditLog = await beginAudit(target, toCommandWords(group, command).join('/'), context);
  // A command that writes its own events may change many records, so the last line does not list the changes.
  const ports =
    command.changes === 'own-events' ? call.ports : recordChanges(call.ports, auditLog.add, maskAddress);
  const outcome = await command
    .run({ ...call, ports, auditLog, audit: auditLog.add })
    .catch(async (error: unknown) => {
      await auditLog.end(toAuditResult(error), []).catch(complain);
      throw error;
    });
  const { changes } = command;
  const events = changes === undefined || changes === 'own-events' ? [] : [changes];
  const ended = await auditLog.end('ok', events).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  // Print the result even if the last audit line was not written, because a new secret is shown only here.
  print(outcome);
  if (ended) throw ended.error;
}
