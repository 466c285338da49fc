/** docs/errors.md from the error catalogue and the table of exit codes. */
import { apiHintOf } from '../../src/errors/api-hints.ts'
import { messageForDocs } from '../../src/errors/entry.ts'
import { catalogue, type Code } from '../../src/errors.ts'
import { exitCodes, exitPrecedence } from '../../src/errors/exit-codes.ts'
import { cell } from '../reference/cell.ts'

export default async (): Promise<Record<string, string>> => {
  const rows = (Object.keys(catalogue) as Code[]).map((code) => {
    const { status, exit, hint, message } = catalogue[code]
    const api = apiHintOf({ code })
    const anchor = `<a id="${code}"></a>\`${code}\``
    return `| ${anchor} | ${status} | ${exit} | ${cell(messageForDocs(message))} | ${cell(hint)}${api === hint ? '' : ` <br>API: ${cell(api)}`} |`
  })
  return {
    'docs/errors.md': [
      '# Errors',
      '',
      'Every expected failure has one of these codes; the list is closed. Over HTTP the answer is',
      '`{"detail": {"code": …, "message": …, "hint": …, …}}` with the status. On the command line the process ends with the',
      'exit code, and `svc explain CODE` prints the text below. `{name}` in a message is replaced by a value; over HTTP the same',
      'values are fields next to `code` and `message`.',
      '',
      '| Code | Status | Exit | Message | What to do |',
      '|---|---|---|---|---|',
      ...rows,
      '',
      '## Exit codes',
      '',
      '| Exit | Name | Meaning | What to do |',
      '|---|---|---|---|',
      ...exitCodes.map(
        ({ code, name, meaning, action }) => `| ${code} | ${name} | ${cell(meaning)} | ${cell(action)} |`,
      ),
      '',
      `Where several apply, the first of ${exitPrecedence.filter((code) => code !== 0).join(', ')} is used, after every report is written.`,
      '',
    ].join('\n'),
  }
}
