/** A run as JUnit XML: a workflow is a suite, a visit of a step a case. */
import { attributesOf as attributes, escapeMarkup } from '../../src/report/escape.ts'
import { suiteTime } from '../../src/report/suite-time.ts'
import type { StepResult, WorkflowResult } from '../../src/workflow/result.ts'

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

function caseOf(step: StepResult, workflow: string): string {
  const head = attributes({ name: step.id, classname: workflow, time: seconds(step.answer?.ms ?? 0) })
  if (step.status === 'passed') return `    <testcase${head}/>\n`
  if (step.status === 'skipped') return `    <testcase${head}>\n      <skipped/>\n    </testcase>\n`
  const said = step.reason ?? 'The step failed'
  const name = step.unanswered ? 'error' : 'failure'
  const type = step.unanswered ? 'no-answer' : 'step-failed'
  const body = escapeMarkup(`${step.target ?? ''}\n${said}`)
  return `    <testcase${head}>\n      <${name}${attributes({ message: said, type })}>${body}</${name}>\n    </testcase>\n`
}

function suiteOf(workflow: WorkflowResult, id: number, at: string): string {
  const { steps } = workflow
  const failed = steps.filter(({ status }) => status === 'failed')
  const errors = failed.filter(({ unanswered }) => unanswered).length
  const time = steps.reduce((sum, { answer }) => sum + (answer?.ms ?? 0), 0)
  const counts = { tests: steps.length, failures: failed.length - errors, errors, time: seconds(time) }
  const said = workflow.reason === null ? '<system-out/>' : `<system-out>${escapeMarkup(workflow.reason)}</system-out>`
  const cases = steps.map((step) => caseOf(step, workflow.id)).join('')
  return (
    `  <testsuite${attributes({ name: workflow.id, package: 'svc', id })} ${suiteTime(at)} hostname="localhost"${attributes(counts)}>\n` +
    `    <properties/>\n${cases}    ${said}\n    <system-err/>\n  </testsuite>\n`
  )
}

const allOf = (workflows: readonly WorkflowResult[]): readonly WorkflowResult[] =>
  workflows.flatMap((it) => [it, ...allOf(it.steps.flatMap(({ workflow }) => (workflow === null ? [] : [workflow])))])

/** Writes the report; workflows that steps called are suites of their own. */
export const asJunit = (workflows: readonly WorkflowResult[], at: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${allOf(workflows)
    .map((it, id) => suiteOf(it, id, at))
    .join('')}</testsuites>\n`
