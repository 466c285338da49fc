/** Steps that send and receive messages (Arazzo 1.1.0, "Step Object"), and the steps that steps wait for. */
import { isObject, textOf, type Json, type Path } from '../../kernel/json.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { workflowNamed, workflowsOf, type LocatedObject, type WorkflowPart } from './parts.ts'
import { eachStep, isMessages, meant, sourcesOf, type Source } from './sources.ts'

// The source that a step names, or the only one that it can mean.
function sourceOf(step: LocatedObject, sources: readonly Source[]): Source | null {
  const text = ['operationId', 'operationPath', 'channelPath'].map((key) => textOf(step.value[key])).join('')
  if (text === '') return null
  const [, name] = /^\{?\$sourceDescriptions\.([A-Za-z0-9_-]+)/.exec(text) ?? []
  if (name !== undefined) return sources.find((it) => it.name === name) ?? null
  const having = sources.filter(({ type }) => type !== 'arazzo')
  return having.length === 1 ? (having[0] ?? null) : null
}

/** A step of an AsyncAPI source says whether it sends or receives, and no other step does. */
export const messageSteps: LintFunction = (_input, _options, context) => {
  const sources = sourcesOf(context)
  return eachStep(context, (step): Violation[] => {
    const source = sourceOf(step, sources)
    if (source === null) return []
    const { value, path } = step
    if (isMessages(source)) {
      if (value.action !== undefined) return []
      return [{ message: `"${source.name}" describes messages; add "action: send" or "action: receive".`, path }]
    }
    return ['action', 'correlationId', 'channelPath'].flatMap((key) =>
      value[key] === undefined
        ? []
        : [
            {
              message: `"${key}" is for messages, but "${source.name}" describes HTTP.`,
              path: [...path, key],
              kind: key,
            },
          ],
    )
  })
}

const listed = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])

function checkOne(on: string, root: Json, workflow: WorkflowPart): string | null {
  const [, other, step] = /^\$workflows\.([^.]+)\.steps\.([^.]+)$/.exec(on) ?? []
  if (other === undefined && on.startsWith('$')) return null
  const owner = other === undefined ? workflow : workflowNamed(root, other)
  if (owner === undefined) return `There is no workflow "${other}".`
  const id = step ?? on
  if (owner.stepAt.has(id)) return null
  const ids = owner.steps.map(({ value }) => textOf(value.stepId))
  return `The workflow "${textOf(owner.value.workflowId)}" has no step "${id}"${meant(id, ids)}`
}

// What each step waits for, itself or through others.
function waitsForItself(id: string, workflow: WorkflowPart): boolean {
  const seen = new Set<string>()
  const waiting = [id]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const step = workflow.steps[workflow.stepAt.get(at) ?? -1]
    for (const next of listed(step?.value.dependsOn)) {
      if (next === id) return true
      if (typeof next !== 'string' || seen.has(next)) continue
      seen.add(next)
      waiting.push(next)
    }
  }
  return false
}

/** The steps that a step waits for exist, and none of them waits for it. */
export const stepDependencies: LintFunction = (_input, _options, { root }) =>
  workflowsOf(root).flatMap((workflow) =>
    workflow.steps.flatMap(({ value, path }): Violation[] => {
      const at: Path = [...path, 'dependsOn']
      if (!isObject(value) || value.dependsOn === undefined) return []
      const missing = listed(value.dependsOn).flatMap((on, index): Violation[] => {
        const message = typeof on === 'string' ? checkOne(on, root, workflow) : null
        return message === null ? [] : [{ message, path: [...at, index] }]
      })
      const id = textOf(value.stepId)
      return waitsForItself(id, workflow)
        ? [...missing, { message: `The step "${id}" waits for itself, directly or through others.`, path: at }]
        : missing
    }),
  )
