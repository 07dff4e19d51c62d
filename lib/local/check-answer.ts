import * as v from 'valibot';
import { listNamedMethods } from '../../shared/http/path.ts';
import type { Answer } from './gateway.ts';
import type { Match } from './routes.ts';

/**
 * Compares a JSON response with the schema that its operation declares and returns one message for each difference. Messages
 * name fields but never values, because values can be secrets.
 */
export function findViolations({ name, row }: Match, method: string, answer: Answer): readonly string[] {
  const hasBody = listNamedMethods(row).some((verb) => verb === method);
  if (!hasBody || !answer.headers['content-type']?.startsWith('application/json')) return [];
  const { output } = row;
  let json: unknown;
  try {
    json = JSON.parse(answer.body.toString('utf8'));
  } catch {
    return [`${name}: the content type is application/json, but the body is not JSON`];
  }
  const violations: string[] = [];
  // Clients spread the body over their response object, so a field `status` would replace the HTTP status.
  if (typeof json === 'object' && json !== null && 'status' in json)
    violations.push(`${name}: a JSON answer must not have a top-level "status"`);
  if ('json' in output && answer.status === output.status)
    for (const issue of v.safeParse(output.json, json).issues ?? [])
      violations.push(`${name}: ${v.getDotPath(issue) ?? 'body'}: expected ${issue.expected ?? issue.type}`);
  return violations;
}
