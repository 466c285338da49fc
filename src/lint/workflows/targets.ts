/** What the steps of an Arazzo document call, as they name it. Words and places are those of Spectral, so that guides carry over. */
import { textOf, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { isExpression, sourceNames } from './expression.ts'
import { workflowsOf } from './parts.ts'

const operationPath = /^\{\$sourceDescriptions\.[a-zA-Z0-9_-]+\.url\}#.+$/

function checkNamed(step: JsonObject, key: 'operationId' | 'workflowId', path: Path, root: Json): Violation[] {
  const text = textOf(step[key])
  if (!text.startsWith('$')) return []
  const at = [...path, key]
  const id = textOf(step.stepId)
  const source = text.split('.')[1] ?? ''
  return [
    ...(isExpression(text, root)
      ? []
      : [{ message: `Runtime expression "${text}" is invalid in step "${id}".`, path: at }]),
    ...(sourceNames(root).has(source)
      ? []
      : [{ message: `Source description "${source}" not found for ${key} "${text}" in step "${id}".`, path: at }]),
  ]
}

function checkPath(step: JsonObject, key: 'operationPath' | 'channelPath', path: Path, root: Json): Violation[] {
  const text = step[key]
  if (typeof text !== 'string') return []
  const at = [...path, key]
  const title = key === 'operationPath' ? 'OperationPath' : 'ChannelPath'
  if (!operationPath.test(text))
    return [
      {
        message: `${title} "${text}" must be a valid runtime expression following the format "{$sourceDescriptions.<name>.url}#<json-pointer>".`,
        path: at,
      },
    ]
  const source = text.split('.')[1] ?? ''
  return sourceNames(root).has(source)
    ? []
    : [
        {
          message: `Source description "${source}" not found for ${key} "${text}" in step "${textOf(step.stepId)}".`,
          path: at,
        },
      ]
}

/** A step names its operation or workflow in a source that the document describes. */
export const stepTargets: LintFunction = (input, _options, { root }) => {
  if (sourceNames(root).size === 0)
    return [{ message: 'sourceDescriptions is missing in the Arazzo Specification.', path: ['sourceDescriptions'] }]
  return workflowsOf(input).flatMap(({ steps }) =>
    steps.flatMap(({ value, path }) => [
      ...checkNamed(value, 'operationId', path, root),
      ...checkPath(value, 'operationPath', path, root),
      ...checkPath(value, 'channelPath', path, root),
      ...checkNamed(value, 'workflowId', path, root),
    ]),
  )
}
