import type { Change } from '../../diff/change.ts'
import type { ChangeReport } from '../report.ts'
import { suiteTime } from '../suite-time.ts'
import { escapeMarkup } from '../escape.ts'
import { groupChanges, headlineOf, hitLine, lineOf, placeOf, proofOf, type ChangeGroup } from './outline.ts'

// An attribute has no line breaks.
const attribute = (text: string): string => escapeMarkup(text).replaceAll(/[\n\r\t]+/g, ' ')

const caseOf = (change: Change, title: string, report: ChangeReport): string => {
  const name = attribute(`${change.id}: ${change.message}`)
  const head = `    <testcase name="${name}" classname="${attribute(title)}" time="0"`
  if (change.severity !== 'breaking') return `${head}/>`
  const place = placeOf(change, report)
  const text = [place === null ? null : `${lineOf(place)} ${place.pointer}`, proofOf(change), hitLine(change, report)]
    .filter((it) => it !== null)
    .join('\n')
  return `${head}>\n      <failure message="${attribute(change.message)}" type="${change.classification}">${escapeMarkup(text)}</failure>\n    </testcase>`
}

const nameOf = ({ file, title }: ChangeGroup): string => (file === null ? title : `${file}: ${title}`)

const suiteOf = (
  id: number,
  name: string,
  {
    cases,
    failures,
    at,
  }: { readonly cases: readonly string[]; readonly failures: number; readonly at: string | undefined },
): string => {
  const attributes = `name="${attribute(name)}" package="svc.diff" id="${id}" ${suiteTime(at)} hostname="localhost" tests="${cases.length}" failures="${failures}" errors="0" time="0"`
  return `  <testsuite ${attributes}>\n    <properties/>\n${cases.join('\n')}\n    <system-out/>\n    <system-err/>\n  </testsuite>\n`
}

/** JUnit's XML: one suite per group of operations, one case per change; what breaks is a failure. Without changes one case passes. */
export const changesAsJunit = (report: ChangeReport): string => {
  const { at } = report
  const sides = `${report.base} → ${report.head}`
  const none = `    <testcase name="${attribute(headlineOf(report))}" classname="${attribute(sides)}" time="0"/>`
  const suites =
    report.changes.length === 0
      ? [suiteOf(0, sides, { cases: [none], failures: 0, at })]
      : groupChanges(report.changes).map((group, id) =>
          suiteOf(id, nameOf(group), {
            cases: group.changes.map((change) => caseOf(change, nameOf(group), report)),
            failures: group.changes.filter((change) => change.severity === 'breaking').length,
            at,
          }),
        )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
}
