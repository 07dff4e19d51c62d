import { wire } from '../aws/wire.ts';
import type { Operation, UseCase } from '../operation.ts';
import { type Handler, serve } from './serve.ts';

/** The Lambda handler of an operation: its use case, served with the ports that its row names. */
export function lambda<Row extends Operation>(row: Row, useCase: UseCase<Row>): Handler {
  return serve(row, useCase, wire(row));
}
