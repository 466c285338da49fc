/** What came of the tests of a style guide: for people, and for continuous integration servers. */
import { suiteTime } from './suite-time.ts'
import type { ExpectedFinding, GuideTestOutcome } from '../lint/guide-tests.ts'
import type { Finding } from '../lint/finding.ts'
import { plural } from '../kernel/plural.ts'
import { escapeMarkup, oneLine } from './escape.ts'
import type { ReportOptions } from './report.ts'
import { painter } from './terminal.ts'

/** The outcomes of one file of tests. */
export interface TestedGuide {
  readonly file: string
  readonly guide: string
  readonly outcomes: readonly GuideTestOutcome[]
  /** Rules of the guide that no test expects to find anything. */
  readonly untested: readonly string[]
}

const passed = ({ missing, unexpected }: GuideTestOutcome): boolean => missing.length === 0 && unexpected.length === 0

const placed = (pointer: string | null): string => {
  if (pointer === null) return ''
  return pointer === '' ? ' at the top' : ` at ${pointer}`
}

const expectedLine = ({ rule, pointer, severity, message }: ExpectedFinding): string =>
  oneLine(
    `${severity === null ? '' : `${severity} `}${rule}${placed(pointer)}${message === null ? '' : `: ${message}`}`,
  )

const foundLine = ({ code, pointer, severity, message, range }: Finding): string =>
  oneLine(`${severity} ${code}${placed(pointer)} (line ${range.start.line + 1}): ${message}`)

const differences = ({ missing, unexpected }: GuideTestOutcome): string[] => [
  ...missing.map((it) => `- expected, not found: ${expectedLine(it)}`),
  ...unexpected.map((it) => `+ found, not expected: ${foundLine(it)}`),
]

/** A line for each test, the differences below those that failed, and the rules without a test. */
export function guideTestsAsText(all: readonly TestedGuide[], options: ReportOptions): string {
  const paint = painter(options)
  const lines = all.flatMap(({ file, guide, outcomes, untested }) => [
    paint('bold', oneLine(`${file} (${guide})`)),
    ...outcomes.flatMap((it) => [
      `  ${passed(it) ? paint('good', 'ok') : paint('error', 'FAILED')}  ${oneLine(it.test.name)}${passed(it) ? '' : paint('dim', ` ${oneLine(file)}:${it.test.line}`)}`,
      ...differences(it).map((line) => `          ${line}`),
    ]),
    ...(untested.length === 0 ? [] : [`  ${paint('dim', `No test expects a finding of: ${untested.join(', ')}`)}`]),
    '',
  ])
  const outcomes = all.flatMap((it) => it.outcomes)
  const failed = outcomes.filter((it) => !passed(it)).length
  const said =
    failed === 0
      ? paint('good', `${plural(outcomes.length, 'test')} passed`)
      : paint('error', `${failed} of ${plural(outcomes.length, 'test')} failed`)
  return `${lines.join('\n')}\n${said}.\n`
}

const attribute = (text: string): string => escapeMarkup(text).replaceAll(/[\n\r\t]/g, ' ')

function writeCase(file: string, outcome: GuideTestOutcome): string {
  const open = `    <testcase name="${attribute(outcome.test.name)}" classname="${attribute(file)}" time="0"`
  if (passed(outcome)) return `${open}/>\n`
  const [first = ''] = differences(outcome)
  return `${open}>\n      <failure message="${attribute(first)}" type="findings">${escapeMarkup(differences(outcome).join('\n'))}</failure>\n    </testcase>\n`
}

/**
 * JUnit XML: a file of tests is a suite.
 * @param at when they ran: ISO date and time in UTC
 */
export function guideTestsAsJunit(all: readonly TestedGuide[], at?: string): string {
  const suites = all.map(({ file, outcomes }, id) => {
    const failures = outcomes.filter((it) => !passed(it)).length
    return (
      `  <testsuite name="${attribute(file)}" package="svc" id="${id}" ${suiteTime(at)} hostname="localhost" ` +
      `tests="${outcomes.length}" failures="${failures}" errors="0" time="0">\n    <properties/>\n` +
      `${outcomes.map((it) => writeCase(file, it)).join('')}    <system-out/>\n    <system-err/>\n  </testsuite>\n`
    )
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
}

/** For programs: every test with what is missing and what is too much. */
export const guideTestsAsData = (all: readonly TestedGuide[]) =>
  all.flatMap(({ file, guide, outcomes }) =>
    outcomes.map((outcome) => ({
      file,
      line: outcome.test.line,
      guide,
      name: outcome.test.name,
      passed: passed(outcome),
      missing: outcome.missing,
      unexpected: outcome.unexpected.map(({ code, pointer, severity, message, range }) => ({
        rule: code,
        pointer,
        severity,
        message,
        range,
      })),
    })),
  )
