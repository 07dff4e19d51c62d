import { effectiveUses } from '../http/effective-ports.ts';
import { type Handler, type Parts, serve } from '../http/serve.ts';
import type { Operation, PortsOf, UseCase } from '../operation.ts';
import { withinBudget } from '../sdk/budget.ts';
import { type Adapters, createPorts } from './create-ports.ts';
import { readSettings } from './settings.ts';

/** The Lambda handler of an operation: serves the use case with the ports of its row. Reads the environment. */
export function lambda<Row extends Operation>(
  row: Row,
  useCase: UseCase<Row>,
  adapters: Adapters,
  parts?: Parts,
): Handler {
  const ports = createPorts(effectiveUses(row), adapters, process.env, true) as unknown as PortsOf<Row>;
  const handler = serve(row, useCase, { ports, settings: readSettings(process.env) }, parts);
  const patience = Number(process.env.DATABASE_PATIENCE || 1);
  return (event, context) => withinBudget(patience, () => handler(event, context));
}
