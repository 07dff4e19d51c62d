import type { Readable } from 'node:stream';
import { UsageError } from '../terminal/failure.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const OPEN_LIST = 0x5b;
const COLON = 0x3a;

/**
 * Yields the text of each object in a list of a JSON document. The list is the document itself, or the value of the given key.
 * The function follows only brackets and quotes, so that large files need little memory. Invalid JSON is found when an object
 * is parsed.
 * @throws `UsageError` if there is no such list, or if the file ends too early.
 */
export async function* readObjects(input: Readable, list: string): AsyncGenerator<string> {
  let [depth, listDepth] = [0, -1];
  let [isText, isEscaped, isFound] = [false, false, false];
  let [text, key, item] = ['', '', ''];
  input.setEncoding('utf8');
  for await (const chunk of input as AsyncIterable<string>) {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isText = false;
        if (isText && depth === 1 && listDepth < 0) text += chunk[at];
      } else if (code === QUOTE) {
        isText = true;
        text = '';
      } else if (code === COLON && depth === 1) key = text;
      else if (OPENING.has(code)) {
        const isList = code === OPEN_LIST && listDepth < 0;
        if (isList && (depth === 0 || (depth === 1 && key === list))) {
          listDepth = depth + 1;
          isFound = true;
        } else if (depth === listDepth) from = at;
        depth += 1;
      } else if (CLOSING.has(code)) {
        depth -= 1;
        if (depth === listDepth && listDepth > 0) {
          yield item + chunk.slice(from, at + 1);
          item = '';
        } else if (depth < listDepth) listDepth = -1;
      }
    }
    if (listDepth > 0 && depth > listDepth) item += chunk.slice(from);
  }
  if (!isFound) throw new UsageError(`There is no list "${list}" in the file.`);
  if (depth !== 0) throw new UsageError('The file ends in the middle of a user.');
}
