/** What goes from step to step: outputs, inputs, and the order of workflows. */
import { isObject, type Json, type Path, textOf } from '../../kernel/json.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { inputsOf, isAmong } from './expression.ts'
import { workflowsOf, type WorkflowPart } from './parts.ts'

function* textsIn(value: Json, path: Path): Generator<readonly [string, Path]> {
  if (typeof value === 'string') yield [value, path]
  else if (Array.isArray(value))
    for (const [index, it] of (value as readonly Json[]).entries()) yield* textsIn(it, [...path, index])
  else if (isObject(value)) for (const key of Object.keys(value)) yield* textsIn(value[key] as Json, [...path, key])
}

const outputs = /\$steps\.([A-Za-z0-9_-]+)\.outputs\.([A-Za-z0-9._-]+)/g
const inputs = /\$inputs\.([A-Za-z0-9._-]+)/g

function checkText(text: string, at: number, workflow: WorkflowPart, declared: ReadonlySet<string> | null): string[] {
  const { steps, stepAt } = workflow
  const messages: string[] = []
  // Where steps say what they wait for, their order in the list is not the order in which they run.
  const ordersItself = steps.some(({ value }) => value.dependsOn !== undefined)
  for (const [, id = '', output = ''] of text.matchAll(outputs)) {
    const index = stepAt.get(id) ?? -1
    const named = steps[index]?.value.outputs
    if (index === -1) messages.push(`The workflow has no step "${id}".`)
    else if (!isAmong(new Set(isObject(named) ? Object.keys(named) : []), output))
      messages.push(`The step "${id}" has no output "${output}".`)
    else if (index > at && !ordersItself) messages.push(`The step "${id}" runs later and has no outputs yet.`)
  }
  for (const [, id = ''] of text.matchAll(inputs))
    if (!isAmong(declared, id)) messages.push(`The workflow has no input "${id}".`)
  return [...new Set(messages)]
}

/** What a step takes from steps and inputs is there when it runs. */
export const valuesExist: LintFunction = (input, _options, { root }) =>
  workflowsOf(input).flatMap((workflow) => {
    const declared = inputsOf(root, workflow.index)
    const { value, path, steps } = workflow
    const places: (readonly [Json, Path, number])[] = [
      ...steps.map(({ value: step, path: at }, index) => [step, at, index] as const),
      [value.outputs ?? null, [...path, 'outputs'], steps.length],
    ]
    return places.flatMap(([part, at, index]) =>
      [...textsIn(part, at)].flatMap(([text, place]) =>
        // The outputs of a step may refer to its response, but not to its own outputs.
        checkText(text, index, workflow, declared).map((message): Violation => ({ message, path: place })),
      ),
    )
  })

/** No workflow waits for itself, by whatever way. */
export const noCycles: LintFunction = (input) => {
  const all = workflowsOf(input)
  const next = new Map(
    all.map(({ value, steps }) => {
      const list = Array.isArray(value.dependsOn) ? (value.dependsOn as readonly Json[]) : []
      const called = steps.map((it) => it.value.workflowId)
      return [textOf(value.workflowId), [...list, ...called].map((it) => textOf(it)).filter((it) => it !== '')]
    }),
  )
  return all.flatMap(({ value, path }) => {
    const id = textOf(value.workflowId)
    const way = findWay(id, id, next)
    return way === null
      ? []
      : [{ message: `The workflow depends on itself: ${way.join(' -> ')}.`, path: [...path, 'workflowId'] }]
  })
}

function findWay(from: string, to: string, next: ReadonlyMap<string, readonly string[]>): string[] | null {
  const before = new Map<string, string>()
  const waiting = [from]
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift())
    for (const it of next.get(at) ?? []) {
      if (it === to) {
        const way = [to]
        for (let step: string | undefined = at; step !== undefined && step !== from; step = before.get(step))
          way.unshift(step)
        return [from, ...way]
      }
      if (before.has(it) || !next.has(it)) continue
      before.set(it, at)
      waiting.push(it)
    }
  return null
}
