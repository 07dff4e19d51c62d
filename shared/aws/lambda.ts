import { effectiveUses } from '../http/effective-ports.ts';
import { type Handler, type OptionalParts, serve } from '../http/serve.ts';
import type { Operation, OperationPorts, UseCase } from '../operation.ts';
import { withinBudget } from '../sdk/budget.ts';
import { type Adapters, createPorts } from './create-ports.ts';
import { readSettings } from './settings.ts';

/** Creates the Lambda handler of an operation from the operation row, with the ports and settings that it needs. */
export function lambda<Row extends Operation>(
  row: Row,
  useCase: UseCase<Row>,
  adapters: Adapters,
  parts?: OptionalParts,
): Handler {
  const ports = createPorts(
    effectiveUses(row),
    adapters,
    process.env,
    true,
  ) as unknown as OperationPorts<Row>;
  const handler = serve(row, useCase, { ports, settings: readSettings(process.env) }, parts);
  const timeoutMultiplier = Number(process.env.DATABASE_PATIENCE || 1);
  return (event, context) => withinBudget(timeoutMultiplier, () => handler(event, context));
}
