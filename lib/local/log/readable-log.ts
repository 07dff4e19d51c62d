import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { styleText } from 'node:util';
import type { Answer } from '../gateway.ts';
import { HINT_HEADER } from '../playground/error-uri.ts';
import type { Match } from '../routes.ts';

type Line = Readonly<Record<string, unknown>> & { readonly level: string; readonly time: string };

export interface ReadableLog {
  /** Prints a line for a request. The line contains the path and the reason of an error, which the JSON log line omits. */
  printRequest(route: Match, method: string, answer: Answer): void;
  close(): void;
}

/** Reads the reason of an error response: the `message` in its body and the reason in its `WWW-Authenticate` header. */
function readRefusal({ body, headers }: Answer): string {
  const { message } = (headers['content-type']?.includes('json') ? JSON.parse(String(body)) : {}) as {
    readonly message?: string | readonly string[];
  };
  const [, reason] = /error_description="([^"]*)"/.exec(headers['www-authenticate'] ?? '') ?? [];
  const texts = [message ?? [], reason ?? []].flat();
  const refusal = texts.filter((text, index) => texts.indexOf(text) === index).join(' · ');
  // Control characters from the caller could manipulate the terminal.
  return refusal.replace(/\p{Cc}/gu, '\ufffd');
}

type Colour = 'red' | 'yellow' | 'green' | 'dim' | 'bold';

function statusColour(status: number): Colour {
  if (status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}

/** Prints readable lines instead of JSON: one for each request, and one for each other log event. */
export function startReadableLog(write: (text: string) => void, onlyErrors: boolean): ReadableLog {
  const waiting = new Map<unknown, Line>();
  const paint = (colour: Colour, text: string) => styleText(colour, text, { validateStream: false });
  const print = ({ time }: Line, ...parts: readonly string[]) =>
    write(
      `${paint('dim', new Date(time).toTimeString().slice(0, '00:00:00'.length))}  ${parts.join('  ')}\n`,
    );
  const onLogLine = (text: unknown) => {
    const line = JSON.parse(String(text)) as Line;
    const { level, time: _, event, section, request_id: id, ...rest } = line;
    if (section !== undefined) waiting.set(id, line);
    else if (level === 'error' || (level === 'info' && !onlyErrors))
      print(
        line,
        level === 'error' ? paint('red', String(event)) : String(event),
        paint('dim', JSON.stringify(rest)),
      );
  };
  subscribe('otl:log', onLogLine);
  return {
    printRequest({ path }, method, answer) {
      const id = answer.headers['x-request-id'];
      const line = waiting.get(id);
      waiting.delete(id);
      const { status } = answer;
      if (!line || (onlyErrors && line.level !== 'error')) return;
      const hint = answer.headers[HINT_HEADER]?.replace(
        '<app_id>',
        String(line.application_id ?? '<app_id>'),
      );
      print(
        line,
        paint(statusColour(status), String(status)),
        `${method} ${path}`,
        paint('dim', `${line.duration_ms} ms`),
        ...(status < 400 ? [] : [paint('bold', String(line.result)), readRefusal(answer)]),
        ...(hint === undefined ? [] : [paint('dim', `→ ${hint}`)]),
      );
    },
    close: () => void unsubscribe('otl:log', onLogLine),
  };
}
