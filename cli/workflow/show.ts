/** A run as people read it, and as `--json` has it. */
import { plural } from '../../src/kernel/plural.ts'
import type { Json } from '../../src/kernel/json.ts'
import { mismatchText } from '../../src/workflow/answer.ts'
import { stepsOf, type Coverage, type StepResult, type WorkflowResult } from '../../src/workflow/result.ts'
import type { Redaction } from '../../src/workflow/secrets.ts'

/** What `--json` says of a step. Ids, statuses and targets are from the document; everything else may hold values. */
function stepData(step: StepResult, redaction: Redaction): Record<string, unknown> {
  const {
    id,
    status,
    outputs,
    reason,
    attempts,
    target,
    source,
    request,
    answer,
    criteria,
    mismatches,
    warnings,
    action,
  } = step
  return {
    id,
    status,
    outputs: redaction.value(outputs),
    reason: reason === null ? null : redaction.text(reason),
    target,
    source,
    attempts,
    request: request === null ? null : { method: request.method, url: redaction.text(request.url) },
    answer: answer === null ? null : { status: answer.status, ms: Math.round(answer.ms * 10) / 10 },
    criteria: criteria.map((it) => ({ ...it, reason: it.reason === null ? null : redaction.text(it.reason) })),
    mismatches: mismatches.map((it) => ({
      where: it.where,
      at: redaction.text(it.at),
      message: redaction.text(it.message),
    })),
    warnings: warnings.map((it) => redaction.text(it)),
    action,
    workflow: step.workflow === null ? null : workflowData(step.workflow, redaction),
  }
}

/** What `--json` says of a workflow. */
export function workflowData(workflow: WorkflowResult, redaction: Redaction): Record<string, unknown> {
  const { id, document, status, outputs, reason, steps } = workflow
  return {
    id,
    status,
    outputs: redaction.value(outputs),
    reason: reason === null ? null : redaction.text(reason),
    document,
    steps: steps.map((step) => stepData(step, redaction)),
  }
}

function stepLine(step: StepResult, width: number, indent: string): string {
  const { id, status, target, answer, attempts, action } = step
  const said = [
    target,
    answer === null ? null : `${answer.status} in ${Math.round(answer.ms)} ms`,
    attempts > 1 ? plural(attempts, 'attempt') : null,
    action === null ? null : `then ${action}`,
  ].filter((it) => it !== null)
  return `${indent}${status.padEnd(7)}  ${id.padEnd(width)}  ${said.join(', ')}`.trimEnd()
}

function faultsOf({ criteria, mismatches, warnings, status, reason }: StepResult): readonly string[] {
  const unmet = criteria
    .filter(({ met }) => !met)
    .map((it) => `${it.condition} is not met${it.reason === null ? '' : `: ${it.reason}`}`)
  const faults = status === 'failed' ? [...unmet, ...mismatches.map(mismatchText)] : []
  const why = faults.length === 0 && reason !== null && reason !== 'It did not run' ? [reason] : []
  return [...faults, ...why, ...warnings]
}

function workflowLines(workflow: WorkflowResult, indent: string): readonly string[] {
  const width = Math.max(0, ...workflow.steps.map(({ id }) => id.length))
  const steps = workflow.steps.flatMap((step) => [
    stepLine(step, width, `${indent}  `),
    ...faultsOf(step).map((it) => `${indent}           ${it}`),
    ...(step.workflow === null ? [] : workflowLines(step.workflow, `${indent}    `)),
  ])
  const why = workflow.status !== 'passed' && workflow.reason !== null ? `: ${workflow.reason}` : ''
  const outputs = Object.entries(workflow.outputs).map(([name, value]) => `${indent}  ${name} = ${shown(value)}`)
  return [`${indent}${workflow.id}: ${workflow.status}${why}`, ...steps, ...outputs]
}

const longestShown = 200

const shown = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

const coverageLine = ({ source, operations, answers }: Coverage): string =>
  `Source ${source}: ${operations.called} of ${plural(operations.total, 'operation')} called, ${answers.seen} of ${plural(answers.total, 'answer')} seen.`

/** The whole run as a text. */
export function runText(
  workflows: readonly WorkflowResult[],
  coverage: readonly Coverage[],
  redaction: Redaction,
): string {
  const all = stepsOf(workflows)
  const count = (status: string): number => all.filter((it) => it.status === status).length
  const ended = (status: string): number => workflows.filter((it) => it.status === status).length
  const notRun = ended('skipped') === 0 ? '' : `, ${ended('skipped')} skipped`
  const lines = [
    ...workflows.flatMap((it) => [...workflowLines(it, ''), '']),
    `${plural(workflows.length, 'workflow')}, ${ended('failed')} failed${notRun}. ${plural(all.length, 'step')}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped.`,
    ...coverage.map(coverageLine),
  ]
  return `${lines.map((it) => redaction.text(it)).join('\n')}\n`
}
