/** What failed in a run as findings, for SARIF and the other formats of findings. */
import type { Document } from '../../src/document/document.ts'
import type { Path } from '../../src/kernel/json.ts'
import { formatPointer } from '../../src/kernel/pointer.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { fingerprintOf } from '../../src/lint/fingerprint.ts'
import type { StepResult, WorkflowResult } from '../../src/workflow/result.ts'
import { mismatchText } from '../../src/workflow/answer.ts'

const documentationUrl = 'https://spec.openapis.org/arazzo/v1.1.0.html#step-object'

interface Found {
  readonly code: string
  readonly path: Path
  readonly message: string
}

function ofStep(step: StepResult): readonly Found[] {
  const path = ['workflows', step.place.workflow, 'steps', step.place.step]
  if (step.status !== 'failed') return []
  const unmet = step.criteria.flatMap(({ met, condition, reason }, index): Found[] =>
    met
      ? []
      : [
          {
            code: 'run-criterion',
            path: [...path, 'successCriteria', index],
            message: `${condition} is not met${reason === null ? '' : `: ${reason}`}.`,
          },
        ],
  )
  const mismatches = step.mismatches.map((it) => ({ code: 'run-answer', path, message: `${mismatchText(it)}.` }))
  const all = [...unmet, ...mismatches]
  const code = step.unanswered ? 'run-no-answer' : 'run-step'
  return all.length > 0 || step.workflow !== null
    ? all
    : [{ code, path, message: `${step.reason ?? 'The step failed'}.` }]
}

function ofWorkflow(workflow: WorkflowResult, texts: ReadonlyMap<string, Document>): readonly Finding[] {
  const document = texts.get(workflow.document)
  const own = workflow.steps.flatMap((step) => [
    ...(document === undefined ? [] : ofStep(step).map((it) => findingOf(it, workflow.document, document))),
    ...(step.workflow === null ? [] : ofWorkflow(step.workflow, texts)),
  ])
  const index = workflow.steps[0]?.place.workflow ?? 0
  if (own.length > 0 || workflow.status === 'passed' || document === undefined) return own
  const found = {
    code: 'run-workflow',
    path: ['workflows', index],
    message: `${workflow.reason ?? 'The workflow failed'}.`,
  }
  return [findingOf(found, workflow.document, document)]
}

function findingOf({ code, path, message }: Found, source: string, document: Document): Finding {
  return {
    code,
    severity: 'error',
    message,
    path,
    pointer: formatPointer(path),
    source,
    range: document.locate(path),
    fingerprint: fingerprintOf(code, source, path, document.value),
    documentationUrl,
    fix: null,
  }
}

/** Everything that failed, with its place in the Arazzo document. */
export const findingsOf = (
  workflows: readonly WorkflowResult[],
  texts: ReadonlyMap<string, Document>,
): readonly Finding[] => workflows.flatMap((it) => ofWorkflow(it, texts))
