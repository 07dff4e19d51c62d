import { readDocument } from '../../functions/console/engine/document.ts';
import type { ScreenData } from '../../functions/console/engine/render.ts';
import { screens } from '../../functions/console/engine/screens.ts';
import { renderView } from '../../functions/console/views/views.ts';
import { generateServiceDocument } from '../../lib/build/service-document.ts';
import { T } from '../support/server/records.ts';

/** Returns the service's API document in the form that the console reads. */
export const consoleDocument = async () => readDocument(await generateServiceDocument());

/** Returns the data of a console screen whose API calls get the given responses. */
export async function createScreenData(path: string, change: Partial<ScreenData>): Promise<ScreenData> {
  const screen = screens.find((each) => each.path === path);
  if (!screen) throw new Error(`there is no screen ${path}`);
  return {
    ...{ document: await consoleDocument(), role: 'admin', tenantId: 'tenant', screen, parameters: {} },
    ...{ query: {}, answers: new Map(), baseUrl: 'https://id.example.com/cis', now: T },
    ...change,
  };
}

/** Returns a result in the form in which the console keeps a successful API response. */
export const answered = (result: unknown) => ({ ok: true, json: { result } }) as const;

/** Renders a screen whose API calls get the given responses: the JSON of a success, or a failed answer. */
export async function renderScreen(
  path: string,
  answers: Readonly<Record<string, object>>,
  change: Partial<ScreenData> = {},
): Promise<string> {
  const all = Object.entries(answers).map(([read, json]) => [read, 'ok' in json ? json : { ok: true, json }]);
  return renderView(await createScreenData(path, { answers: new Map(all as never), ...change })).html;
}

/** Answer of the API to a call that failed. */
export const FAILED = { ok: false, status: 503, message: 'The service did not answer.' } as const;

/** Returns the text of HTML, without tags and repeated spaces. */
export const toText = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
