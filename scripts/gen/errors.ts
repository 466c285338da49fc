/** docs/errors.md from the error catalogue. */
import { messageTemplate } from '../../src/error-text.ts'
import { catalogue, type Code } from '../../src/errors.ts'

const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll(/\s*\n\s*/g, ' ')

export default async (): Promise<Record<string, string>> => {
  const rows = (Object.keys(catalogue) as Code[]).map((code) => {
    const { status, exit, hint } = catalogue[code]
    const anchor = `<a id="${code}"></a>\`${code}\``
    return `| ${anchor} | ${status} | ${exit} | ${cell(messageTemplate(code))} | ${cell(hint)} |`
  })
  return {
    'docs/errors.md': [
      '# Errors',
      '',
      'Every failure that svc foresees has one of these codes; the list is closed. Over HTTP the answer is',
      '`{"detail": {"code": …, "message": …, …}}` with the status, on the command line the process ends with the exit code,',
      'and `svc explain CODE` says this very text. Words in capitals stand for what the message names; the same values are',
      'fields beside `code` and `message`.',
      '',
      '| Code | Status | Exit | Message | What to do |',
      '|---|---|---|---|---|',
      ...rows,
      '',
      '## Exit codes',
      '',
      '| Exit | Meaning |',
      '|---|---|',
      '| 0 | success |',
      '| 1 | transport failure: the service did not answer, or failed |',
      '| 2 | usage, authentication, or another refusal |',
      '| 3 | blocked by the policy of the tenant |',
      '| 4 | `--min-grade` or `--fail-on` missed |',
      '| 5 | nothing that could be graded |',
      '| 6 | the job failed: a bad document, a refused import |',
      '| 7 | the wait ran out; the message says how to resume |',
      '| 70 | a fault of svc |',
      '| 130 | interrupted |',
      '',
      'Where several apply, the first of 70, 130, 2, 1, 7, 6, 3, 4, 5 is taken, after every report is written.',
      '',
    ].join('\n'),
  }
}
