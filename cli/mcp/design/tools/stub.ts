import { sizeOf } from '../../../../mcp/budget.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import { TypeWriter } from '../../../../src/render/typescript.ts'
import type { StubArguments } from '../arguments.ts'
import type { Design } from '../design.ts'
import { findOperation, type MediaContent, type OperationOf, rootOf } from '../operation.ts'
import { readWholeFile } from '../whole.ts'

/** The whole answer has at most so many bytes: 800 tokens of four. */
const mostBytes = 3200

const schemaOf = (content: readonly MediaContent[]): Json | undefined =>
  (content.find(({ type }) => /[/+]json\b/i.test(type)) ?? content[0])?.schema

/** The types of what an operation takes and answers. */
function typesOf({ parameters, body, answers }: OperationOf, writer: TypeWriter): string[] {
  const properties = Object.fromEntries(parameters.map((it) => [it.name, it.schema]))
  const required = parameters.filter((it) => it.required).map((it) => it.name)
  const asked =
    parameters.length === 0 ? [] : [`type Parameters = ${writer.typeOf({ type: 'object', properties, required })}`]
  const sent = body === null ? [] : [`type Body = ${writer.typeOf(schemaOf(body.content))}`]
  const isGood = (status: string): boolean => status.startsWith('2')
  const [good, bad] = [answers.filter((it) => isGood(it.status)), answers.filter((it) => !isGood(it.status))]
  const typeOf = (some: typeof answers): string => {
    const types = some.map(({ content }) => (content.length === 0 ? 'void' : writer.typeOf(schemaOf(content))))
    return [...new Set(types)].join(' | ')
  }
  return [
    ...asked,
    ...sent,
    ...(good.length === 0 ? [] : [`type Answer = ${typeOf(good)}`]),
    ...(bad.length === 0 ? [] : [`type Failure = ${typeOf(bad)}`]),
  ]
}

/** A declaration that is longer than all that may be shown is unknown. */
const shortened = (line: string, most: number): string =>
  line.length <= most ? line : `${line.slice(0, line.indexOf('=') + 1)} unknown`

/** Writes types for one operation. @throws SvcError as the files of the repository and the arguments need it */
export async function run(design: Design, { file, operation: wanted }: StubArguments): Promise<object> {
  const { document, name } = await readWholeFile(design, file)
  const root = rootOf(document, name)
  const operation = findOperation(root, wanted)
  for (let bytes = mostBytes - 400; bytes > 0; bytes -= 300) {
    const writer = new TypeWriter(root)
    const own = typesOf(operation, writer).map((it) => shortened(it, bytes / 2))
    const { text, omitted } = writer.declare(own, bytes)
    const answer = {
      operation: `${operation.method} ${operation.path}`.slice(0, 300),
      text,
      omitted: omitted.slice(0, 20),
    }
    if (sizeOf(answer) <= mostBytes) return answer
  }
  return { text: '', omitted: [] }
}
