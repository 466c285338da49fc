/** A page for each error code: what it means and what to do. */
import { apiHintOf } from '../../src/errors/api-hints.ts'
import { messageForDocs } from '../../src/errors/entry.ts'
import { catalogue, type Code } from '../../src/errors.ts'
import { exitCodes } from '../../src/errors/exit-codes.ts'

// As text of a page: a name in angle brackets is no HTML.
const plain = (text: string): string => text.replaceAll('<', '&lt;')

function page(code: Code): string {
  const { status, exit, hint, message } = catalogue[code]
  const api = apiHintOf({ code })
  const name = exitCodes.find((it) => it.code === exit)?.name ?? ''
  return [
    `# ${code}`,
    '',
    plain(messageForDocs(message)),
    '',
    '## What to do',
    '',
    plain(hint),
    '',
    ...(api === hint ? [] : [`Over HTTP: ${plain(api)}`, '']),
    '## Where the code appears',
    '',
    '| | |',
    '|---|---|',
    `| HTTP status | ${status} |`,
    `| Exit code | ${exit} (${name}) |`,
    `| Command line | \`svc explain ${code}\` prints this text |`,
    '',
    'A name in braces is replaced by a value; over HTTP the same values are fields next to `code` and `message`. All codes are in the',
    '[list of errors](../errors.md).',
    '',
  ].join('\n')
}

/** @returns Markdown by path below `docs/`: `errors/usage.md` */
export const errorPages = (): Record<string, string> =>
  Object.fromEntries((Object.keys(catalogue) as Code[]).map((code) => [`errors/${code}.md`, page(code)]))
