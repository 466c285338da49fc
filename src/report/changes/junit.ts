import type { ChangeReport } from '../report.ts'
import { groupChanges, proofOf } from './outline.ts'
import { escapeMarkup } from '../escape.ts'

/** JUnit's XML: one suite per group of operations, one case per change; what breaks is a failure. */
export const changesAsJunit = (report: ChangeReport): string => {
  const suites = groupChanges(report.changes).map((group, i) => {
    const cases = group.changes.map((change) => {
      const name = escapeMarkup(`${change.id}: ${change.message}`)
      const head = `    <testcase name="${name}" classname="${escapeMarkup(group.title)}" time="0"`
      if (change.severity !== 'breaking') return `${head}/>`
      const text = [proofOf(change), change.head?.pointer ?? change.base?.pointer]
        .filter((it) => it !== null && it !== undefined)
        .join('\n')
      return `${head}>\n      <failure message="${escapeMarkup(change.message)}" type="${change.classification}">${escapeMarkup(text)}</failure>\n    </testcase>`
    })
    const failures = group.changes.filter((change) => change.severity === 'breaking').length
    const attributes = `name="${escapeMarkup(group.title)}" package="svc.diff" id="${i}" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="${group.changes.length}" failures="${failures}" errors="0" time="0"`
    return `  <testsuite ${attributes}>\n    <properties/>\n${cases.join('\n')}\n    <system-out/>\n    <system-err/>\n  </testsuite>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}${suites.length > 0 ? '\n' : ''}</testsuites>\n`
}
