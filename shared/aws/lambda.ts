import { type ErrorPage, type Handler, serve } from '../http/serve.ts';
import type { Operation, UseCase } from '../operation.ts';
import { wire } from './create-ports.ts';

export type { ErrorPage };

/** The Lambda handler of an operation: its use case, served with the ports that its row names. */
export function lambda<Row extends Operation>(
  row: Row,
  useCase: UseCase<Row>,
  errorPage?: ErrorPage,
): Handler {
  return serve(row, useCase, wire(row), errorPage);
}
