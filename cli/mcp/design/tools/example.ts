import { replySize } from '../../../../mcp/budget.ts'
import type { ToolContext } from '../../../../mcp/tool.ts'
import { SvcError } from '../../../../src/errors.ts'
import { type Json, textOrJson } from '../../../../src/kernel/json.ts'
import type { ExampleArguments } from '../arguments.ts'
import type { Design } from '../design.ts'
import { findOperation, type MediaContent, type OperationOf, type Root, rootOf } from '../operation.ts'
import { validValue } from '../valid-value.ts'
import { readWholeFile } from '../whole.ts'

const isJson = ({ type }: MediaContent): boolean => /[/+]json\b/i.test(type)

/** The content that is shown: JSON where there is some. */
const chosenOf = (content: readonly MediaContent[]): MediaContent | undefined => content.find(isJson) ?? content[0]

/** What was left out because no valid value is known. */
type Unsolved = string[]

function contentExample(root: Root, content: readonly MediaContent[], what: string, unsolved: Unsolved) {
  const chosen = chosenOf(content)
  if (chosen === undefined) return null
  const value = validValue(chosen, root, what === 'body' ? 'request' : 'response')
  if (value === undefined) unsolved.push(what)
  return { media_type: chosen.type, ...(value === undefined ? {} : { value }) }
}

function requestOf(root: Root, operation: OperationOf, unsolved: Unsolved) {
  const values: Record<string, Record<string, Json>> = {}
  for (const it of operation.parameters.filter(({ required }) => required)) {
    const value = validValue(it, root, 'request')
    if (value === undefined) unsolved.push(`${it.in} ${it.name}`)
    else (values[it.in] ??= {})[it.name] = value
  }
  const { path = {}, ...others } = values
  const filled = operation.path.replaceAll(/\{([^{}]+)\}/g, (written, name: string) =>
    Object.hasOwn(path, name) ? encodeURIComponent(textOrJson(path[name] ?? null)) : written,
  )
  const body = operation.body === null ? null : contentExample(root, operation.body.content, 'body', unsolved)
  return { method: operation.method, path: filled, ...others, ...(body === null ? {} : { body }) }
}

function answerOf(root: Root, { answers }: OperationOf, wanted: string | undefined, unsolved: Unsolved) {
  const found =
    wanted === undefined
      ? (answers.find(({ status }) => status.startsWith('2')) ?? answers.find(({ status }) => status === 'default'))
      : answers.find(({ status }) => status === wanted)
  if (found === undefined && wanted !== undefined)
    throw new SvcError('usage', {
      reason: `The operation has no answer "${wanted.slice(0, 20)}", but ${answers.map(({ status }) => status).join(', ')}`,
    })
  if (found === undefined) return null
  const body = contentExample(root, found.content, 'answer', unsolved)
  return { status: found.status, ...(body === null ? {} : { body }) }
}

/** Shows how an operation is called. @throws SvcError as the files of the repository and the arguments need it */
export async function run(
  design: Design,
  { file, operation: wanted, status }: ExampleArguments,
  { budgetBytes }: ToolContext,
): Promise<object> {
  const { document, name } = await readWholeFile(design, file)
  const root = rootOf(document, name)
  const operation = findOperation(root, wanted)
  const unsolved: Unsolved = []
  const request = requestOf(root, operation, unsolved)
  const answer = answerOf(root, operation, status, unsolved)
  const whole = { request, answer, unsolved }
  if (replySize(whole) <= budgetBytes) return whole
  // A part of a value would not be valid: what is too long is left out and named.
  const { body: _, ...short } = request as { body?: unknown }
  const isEnough = replySize({ request, answer: null, unsolved }) <= budgetBytes
  const kept = isEnough ? request : short
  return {
    request: kept,
    answer: answer === null ? null : { status: answer.status },
    unsolved,
    truncated: true,
    not_shown: isEnough ? ['answer'] : ['body', 'answer'],
  }
}
